import type { AccessClass } from "./classes.ts";

/**
 * Outcome for a caller. `ok`: performed. `empty`: an empty list. `apart`: performed without
 * revealing anything of the workspace. Otherwise the error status.
 */
export type Outcome = "ok" | "empty" | "apart" | "401" | "403" | "404" | "409";

/**
 * Handwritten: a row per caller, a column per class of test/matrix/classes.ts, for one organization
 * and one of its workspaces; "the other" is unrelated.
 */
const CALLS = `
caller                                  open person mine key mark lists read edit own expel wread wedit wadmin wexpel
no token                                ok   401    401  401 401  401   401  401  401 401   401   401   401    401
not a token                             ok   401    401  401 401  401   401  401  401 401   401   401   401    401
another scheme                          ok   401    401  401 401  401   401  401  401 401   401   401   401    401
the raw API key                         ok   401    401  401 401  401   401  401  401 401   401   401   401    401
a refresh token                         ok   401    401  401 401  401   401  401  401 401   401   401   401    401
an expired token                        ok   401    401  401 401  401   401  401  401 401   401   401   401    401
a token for the other door              ok   401    401  401 401  401   401  401  401 401   401   401   401    401
a token for another service             ok   401    401  401 401  401   401  401  401 401   401   401   401    401
a revoked key or grant                  ok   401    401  401 401  401   401  401  401 401   401   401   401    401
a disabled account                      ok   401    401  401 401  401   401  401  401 401   401   401   401    401
owner of another organization           ok   ok     ok   404 404  404   404  404  404 404   404   404   404    404
nobody's member                         ok   ok     ok   404 404  404   404  404  404 404   404   404   404    404
suspended owner                         ok   ok     ok   404 404  404   404  404  404 404   404   404   404    404
owner                                   ok   ok     ok   ok  ok   ok    ok   ok   ok  ok    ok    ok    ok     ok
owner, signed in 11 minutes ago         ok   ok     ok   ok  ok   ok    ok   ok   ok  ok    ok    ok    ok     ok
user key of the owner                   ok   ok     ok   ok  ok   ok    ok   ok   ok  ok    ok    ok    ok     ok
the key that is asked for               ok   ok     ok   ok  ok   ok    ok   ok   ok  ok    ok    ok    ok     ok
editor                                  ok   ok     ok   404 ok   ok    ok   ok   403 403   ok    ok    ok     ok
viewer                                  ok   ok     ok   404 ok   ok    ok   403  403 403   ok    403   403    403
guest                                   ok   ok     ok   404 404  empty 403  403  403 403   404   404   404    404
workspace editor                        ok   ok     ok   404 ok   ok    403  403  403 403   ok    ok    ok     ok
workspace viewer                        ok   ok     ok   404 ok   ok    403  403  403 403   ok    403   403    403
editor of the other workspace           ok   ok     ok   404 404  apart 403  403  403 403   404   404   404    404
organization key, owner                 ok   ok     403  403 403  ok    ok   ok   ok  ok    ok    ok    ok     ok
organization key, editor                ok   ok     403  403 403  ok    ok   ok   403 403   ok    ok    ok     ok
organization key, viewer                ok   ok     403  403 403  ok    ok   403  403 403   ok    403   403    403
organization key, creator lowered       ok   ok     403  403 403  ok    ok   403  403 403   ok    403   403    403
organization key, creator suspended     ok   ok     403  403 403  404   404  404  404 404   404   404   404    404
key of the other organization           ok   ok     403  403 403  404   404  404  404 404   404   404   404    404
workspace key, editor                   ok   ok     403  403 403  ok    403  403  403 403   ok    ok    ok     ok
workspace key, viewer                   ok   ok     403  403 403  ok    403  403  403 403   ok    403   403    403
workspace key, creator removed          ok   ok     403  403 403  404   404  404  404 404   404   404   404    404
key of the other workspace              ok   ok     403  403 403  apart 403  403  403 403   404   404   404    404
`;

/** For agent tools; other classes have none. */
const TOOLS = `
caller                                  person lists read wread wedit
no token                                401    401   401  401   401
not a token                             401    401   401  401   401
another scheme                          401    401   401  401   401
the raw API key                         401    401   401  401   401
a refresh token                         401    401   401  401   401
an expired token                        401    401   401  401   401
a token for the other door              401    401   401  401   401
a token for another service             401    401   401  401   401
a revoked key or grant                  401    401   401  401   401
a disabled account                      401    401   401  401   401
owner of another organization           ok     404   404  404   404
nobody's member                         ok     404   404  404   404
suspended owner                         ok     404   404  404   404
owner                                   ok     ok    ok   ok    ok
owner who allowed reading alone         ok     ok    ok   ok    403
owner, limited to the workspace         ok     ok    403  ok    ok
owner, limited to the other workspace   ok     apart 403  404   404
editor                                  ok     ok    ok   ok    ok
viewer                                  ok     ok    ok   ok    403
guest                                   ok     empty 403  404   404
workspace editor                        ok     ok    403  ok    ok
workspace viewer                        ok     ok    403  ok    403
editor of the other workspace           ok     apart 403  404   404
`;

/** For an archived workspace, which is read-only. */
const ARCHIVED = `
caller                                  wread wedit wadmin wexpel
owner                                   ok    409   ok     409
editor                                  ok    409   ok     409
viewer                                  ok    403   403    409
guest                                   404   404   404    404
workspace editor                        ok    409   ok     409
workspace viewer                        ok    403   403    409
organization key, editor                ok    409   ok     409
workspace key, editor                   ok    409   ok     409
workspace key, viewer                   ok    403   403    409
owner of another organization           404   404   404    404
`;

/** Callers without a recent sign-in: denied with 403 where the table requires one. */
export const WITHOUT_RECENT_SIGN_IN: ReadonlySet<string> = new Set([
  "owner, signed in 11 minutes ago",
  "user key of the owner",
  "the key that is asked for",
  "organization key, owner",
  "organization key, editor",
  "organization key, viewer",
  "organization key, creator lowered",
  "organization key, creator suspended",
  "key of the other organization",
  "workspace key, editor",
  "workspace key, viewer",
  "workspace key, creator removed",
  "key of the other workspace",
]);
/** Caller allowed by "but of itself". */
export const REQUESTED_KEY = "the key that is asked for";

export const EXPECTED = { calls: table(CALLS), tools: table(TOOLS), archived: table(ARCHIVED) };

export type Expected = Map<string, Map<AccessClass, Outcome>>;

/**
 * Rows by caller, cells by class. Columns are at least two spaces apart in the first row, one in
 * the others.
 */
function table(text: string): Expected {
  const [head = "", ...rows] = text.trim().split("\n");
  const [, ...classes] = head.split(/ +/);
  return new Map(
    rows.map((row) => {
      const [caller = "", cells = ""] = row.split(/ {2,}(.*)/);
      const outcomes = cells.split(/ +/);
      if (outcomes.length !== classes.length) throw new Error(`The row "${caller}" has not a cell for each class.`);
      // Handwritten above; a typo expects an impossible response.
      return [caller, new Map(classes.map((one, at) => [one as AccessClass, outcomes[at] as Outcome]))];
    }),
  );
}
