import { expect, test } from "vitest";
import { openRouteTable } from "../../src/http/rest/route-table.ts";

const table = openRouteTable(
  [
    ["GET", "/v1/tags"],
    ["POST", "/v1/tags"],
    ["GET", "/v1/tags/count"],
    ["GET", "/v1/tags/:tag_id"],
    ["PUT", "/v1/tags/:tag_id"],
    ["GET", "/v1/:kind/count/:day"],
  ].map(([method = "", path = ""]) => ({ method, path, value: `${method} ${path}` })),
);

test.each([
  ["GET", "/v1/tags", "GET /v1/tags", {}],
  ["GET", "/v1/tags/", "GET /v1/tags", {}],
  ["HEAD", "/v1/tags", "GET /v1/tags", {}],
  ["GET", "/v1/tags/count", "GET /v1/tags/count", {}],
  ["GET", "/v1/tags/a%2Fb%20c", "GET /v1/tags/:tag_id", { tag_id: "a/b c" }],
  ["PUT", "/v1/tags/count", "PUT /v1/tags/:tag_id", { tag_id: "count" }],
  ["GET", "/v1/tags/count/today", "GET /v1/:kind/count/:day", { kind: "tags", day: "today" }],
  ["GET", "/v1/__proto__/count/constructor", "GET /v1/:kind/count/:day", { kind: "__proto__", day: "constructor" }],
])("%s %s is answered by %s", (method, path, value, params) => {
  const found = table.findRoute(method, path);
  if (!found || "allow" in found) throw new Error("There is no such route.");
  expect({ value: found.value, params: found.getParams() }).toEqual({ value, params });
});

test.each([
  ["DELETE", "/v1/tags", ["GET", "POST"]],
  ["OPTIONS", "/v1/tags/count", ["GET"]],
  ["DELETE", "/v1/tags/1", ["GET", "PUT"]],
])("%s %s says which methods are answered", (method, path, allow) => {
  expect(table.findRoute(method, path)).toEqual({ allow });
});

test.each(["/", "/v1", "/v1/Tags", "/v1/t%61gs", "/v1//tags", "/v1/tags//", "/v1/tags/1/2", "/v1//count/today"])(
  "%s is no address",
  (path) => {
    expect(table.findRoute("GET", path)).toBeUndefined();
  },
);

test("rejects a parameter with invalid percent-encoding", () => {
  const found = table.findRoute("GET", "/v1/tags/%E0%A4%A");
  if (!found || "allow" in found) throw new Error("There is no such route.");
  expect(found.getParams).toThrow(URIError);
});
