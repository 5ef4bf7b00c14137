import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { unwrapSchema } from "../../core/shared/fields.ts";
import { DEFAULT_SOURCE_NAMES, SOURCES } from "../../core/sources/sources.ts";
import { decode, type RestInbound } from "../../src/http/rest/decode.ts";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { listBrands } from "../../tools/brands/list-brands.ts";
import { insertScene, type Scene } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

interface Parameter {
  endpoint: AnyEndpoint;
  name: string;
  schema: z.ZodType;
}

const PARAMETERS = endpoints
  .filter(({ method }) => method === "GET" || method === "DELETE")
  .flatMap((endpoint) =>
    Object.entries(endpoint.input.shape as Record<string, z.ZodType>)
      .filter(([name]) => !endpoint.path.includes(`/:${name}`))
      .map(([name, schema]): Parameter => ({ endpoint, name, schema })),
  );

async function read({ endpoint, name }: Parameter, query: string): Promise<unknown> {
  const message = { url: `/?${query}`, headers: {} } as IncomingMessage;
  const { raw } = await decode(endpoint, { request: { message, path: "/", params: {} } } as unknown as RestInbound);
  return raw[name];
}

const isClosedList = (schema: unknown): schema is z.ZodArray<z.ZodEnum> =>
  schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum;

test("fault: null was no value of 31 parameters of the specification; each nullable one takes it, except names and texts", async () => {
  const nullable = PARAMETERS.filter(({ schema }) => schema.safeParse(null).success);
  const texts = nullable.filter(({ name }) => name === "brands" || name === "search_query");
  expect(texts.map(({ endpoint, name }) => `${endpoint.name}.${name}`)).toEqual([
    "listTopBrands.brands",
    "listTopBrands.search_query",
  ]);
  const wrong = [];
  for (const parameter of nullable) {
    const value = await read(parameter, `${parameter.name}=null`);
    if (value !== null && !texts.includes(parameter)) wrong.push(`${parameter.endpoint.name}.${parameter.name}`);
  }
  expect(wrong).toEqual([]);
  const specified = nullable.filter(({ endpoint }) => endpoint.path.startsWith("/api/v1/"));
  expect(specified.length).toBeGreaterThanOrEqual(31);
});

test("an empty value of any optional parameter is absent, null or an empty list", async () => {
  const wrong = [];
  for (const parameter of PARAMETERS) {
    const { name, schema, endpoint } = parameter;
    const value = await read(parameter, `${name}=`);
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (schema.safeParse(undefined).success && !isEmpty) wrong.push(`${endpoint.name}.${name}`);
  }
  expect(wrong).toEqual([]);
});

test("each closed list is read alike from repeated, bracketed, numbered and comma-separated values", async () => {
  const lists = PARAMETERS.filter(({ schema }) => isClosedList(unwrapSchema(schema)));
  expect(lists.length).toBeGreaterThan(20);
  for (const parameter of lists) {
    const { name, schema } = parameter;
    const [first = "", second = ""] = (unwrapSchema(schema) as z.ZodArray<z.ZodEnum>).element.options.map(String);
    const forms = [
      `${name}=${first}&${name}=${second}`,
      `${name}[]=${first}&${name}[]=${second}`,
      `${name}[0]=${first}&${name}[1]=${second}`,
      `${name}=${first},${second}`,
      `${name}=${first},%20${second}`,
      `${name}=${encodeURIComponent(JSON.stringify([first, second]))}`,
      `${name}=${first.toLowerCase()}&${name}=${second.toUpperCase()}`,
    ];
    const readings = await Promise.all(forms.map((form) => read(parameter, form)));
    expect([parameter.endpoint.name, name, readings]).toEqual([
      parameter.endpoint.name,
      name,
      forms.map(() => [first, second]),
    ]);
  }
});

test("each parameter of sources takes labels and display names, with or without spaces", async () => {
  const takers = PARAMETERS.filter(({ name }) => name === "sources");
  for (const taker of takers) {
    const names = [
      Object.values(DEFAULT_SOURCE_NAMES),
      Object.values(DEFAULT_SOURCE_NAMES).map((name) => name.replaceAll(" ", "")),
    ];
    for (const said of names) {
      const query = said.map((name) => `sources=${encodeURIComponent(name)}`).join("&");
      expect(await read(taker, query)).toEqual(SOURCES);
    }
    expect(await read(taker, "sources=ChatGPT,GoogleAIO,BingAIO,nothing")).toEqual([
      "ASSISTANT_A",
      "SEARCH_B_AIO",
      "SEARCH_A_AIO",
      "nothing",
    ]);
  }
});

const [own, rival, comma, thematic, topic, keyword, project, collect] = Array.from({ length: 8 }, () =>
  crypto.randomUUID(),
);
const brands = [
  { id: own, name: "Acme" },
  { id: rival, name: "Globex" },
  { id: comma, name: "Salt, Pepper" },
];
const SCENE = {
  projectId: project,
  ownBrandId: own,
  brands,
  facets: [
    { id: thematic, kind: "thematic", name: "Phones" },
    { id: topic, kind: "topic", name: "All", parentId: thematic },
  ],
  personas: [],
  keywords: [{ id: keyword, text: "best phone", thematicId: thematic, topicId: topic }],
  collects: [
    {
      id: collect,
      number: 1,
      answers: [
        {
          keyword,
          source: "ASSISTANT_A",
          method: "api",
          places: brands.map(({ id }, at) => ({ brand_id: id, rank: at + 1 })),
        },
      ],
    },
  ],
} as Scene;

test("names and ids are split at commas, but not a name with a comma; unknown parameters get the known ones", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => insertScene(db, ids, SCENE));
  const ask = async (query: string) => {
    const { status, body } = await owner.get(`${workspace.path}/analyses/${project}/metrics/visibility?${query}`);
    return [status, body.data?.map(({ brand }: { brand: string }) => brand) ?? body.fields];
  };
  for (const [query, named] of [
    ["brands=acme,Globex", ["Acme", "Globex"]],
    ["brands=Salt, Pepper", ["Salt, Pepper"]],
    [`brands=${own},${comma}&topics=All,${topic}`, ["Acme", "Salt, Pepper"]],
    [`collect_ids=${collect},${collect}`, brands.map(({ name }) => name)],
  ] as const)
    expect([query, await ask(query)]).toEqual([query, [200, named]]);
  const allowed = ["Acme", "Globex", "Salt, Pepper"];
  expect(await ask("brands=Acme,Nobody")).toEqual([
    400,
    [
      {
        path: "brands.1",
        message: "matches no brand; use one of allowed",
        allowed: expect.arrayContaining(allowed),
        allowed_count: 3,
      },
    ],
  ]);
  const unknown = await owner.get(`${workspace.path}/brands?limt=1`);
  expect([unknown.status, unknown.body.fields]).toEqual([
    400,
    [
      {
        path: "limt",
        message: "is not a field of this request",
        allowed: ["limit", ...unknown.body.fields[0].allowed.slice(1)],
        allowed_count: Object.keys(listBrands.input.shape).length - 2,
      },
    ],
  ]);
});

test("each time in a request takes the small letters of RFC 3339", () => {
  const times = endpoints.flatMap(({ name, input }) =>
    Object.entries(input.shape as Record<string, z.ZodType>)
      .filter(([, schema]) => schema.safeParse("2030-01-31T12:00:00Z").data === "2030-01-31T12:00:00Z")
      .filter(([, schema]) => !schema.safeParse("2030-13-31T12:00:00Z").success)
      .map(([field, schema]) => [`${name}.${field}`, schema.safeParse("2030-01-31t12:00:00z").data]),
  );
  expect(times.map(([field]) => field)).toContain("sendRecommendedActionBriefToPartner.due_date");
  expect(times).toEqual(times.map(([field]) => [field, "2030-01-31T12:00:00Z"]));
});

const part = (value: Buffer) =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n'),
    value,
    Buffer.from("\r\n--b--\r\n"),
  ]);

test("a form or query with invalid UTF-8 is rejected, and a lone percent sign is text", async () => {
  // Fault: the invalid bytes were stored as U+FFFD.
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  const message = "A form or query string is not valid UTF-8.";
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const multipart = { "content-type": "multipart/form-data; boundary=b" };
  const post = async (body: string | Buffer<ArrayBuffer>, type: Record<string, string>) => {
    const headers = { ...type, authorization: `Bearer ${owner.accessToken}` };
    const answer = await fetch(new URL(path, w.config.baseUrl), { method: "POST", headers, body });
    const { message: text, name } = (await answer.json()) as { message?: string; name?: string };
    return [answer.status, text ?? name];
  };
  for (const broken of ["name=%C3", "name=%FFAcme", "name=%ED%A0%80", "%C3=1&name=A"])
    expect([broken, await post(broken, form)]).toEqual([broken, [400, message]]);
  expect(await post(part(Buffer.from([0x41, 0xff])), multipart)).toEqual([400, message]);
  expect((await owner.get(`${path}?text=%FF`)).body.message).toBe(message);
  expect(await post("name=100%", form)).toEqual([201, "100%"]);
  expect(await post("name=Caf%C3%A9+%26+Co", form)).toEqual([201, "Café & Co"]);
  expect(await post(part(Buffer.from("Zoë")), multipart)).toEqual([201, "Zoë"]);
});
