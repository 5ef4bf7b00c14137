import { passPages } from "../../test/main-job/main-job.ts";

// Stands for the person's browser where a program opens one: signs in on the pages, and goes back to the program.

const address = new URL(process.argv.find((given) => given.startsWith("http")) ?? "");
const redirectUrl = address.searchParams.get("redirect_uri") ?? "";
const callback = await passPages(address, redirectUrl);
await fetch(`${redirectUrl}?${callback.toString()}`);
