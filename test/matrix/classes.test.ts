import { expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { CLASSES } from "./classes.ts";

test("who may call an endpoint was decided by hand for every one of them: add its name to a line of test/matrix/classes.ts", () => {
  const names = endpoints.map(({ name }) => name);
  const decided = Object.values(CLASSES).flat();
  expect(names.filter((name) => !decided.includes(name))).toEqual([]);
  expect(decided.filter((name) => !names.includes(name))).toEqual([]);
  expect(decided.filter((name, at) => decided.indexOf(name) !== at)).toEqual([]);
});
