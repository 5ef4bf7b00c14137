declare module "better-sqlite3-node22" {
  import Database from "better-sqlite3";

  export default Database;
}
