import { createHmac, createPublicKey, generateKeyPairSync, sign as signBytes, type KeyObject } from "node:crypto";
import { CompactEncrypt, exportJWK, importJWK, SignJWT, type JWTPayload } from "jose";
import type { KeySet } from "../../auth/keys/signing-keys.ts";

/** A token valid at one interface, and the parts needed to forge variants. */
export interface GoodToken {
  keys: KeySet;
  header: { alg: string; typ: string; kid: string };
  claims: JWTPayload & { client_id: string; gid: string };
  /** Another account with its own grant and client. */
  other: { sub: string; client_id: string; gid: string };
}

/** Tokens by fault. */
type Corpus = Record<string, string>;

const encoded = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Equal claims with a new `jti`, signed with the real key: accepted only by mistake. */
export function sign(good: GoodToken, claims: object = {}, header: object = {}): Promise<string> {
  return new SignJWT({ ...good.claims, jti: crypto.randomUUID(), ...claims })
    .setProtectedHeader({ ...good.header, ...header })
    .sign(good.keys.privateKey);
}

/** All known ways to forge a JWT; none is recognisable by length alone. */
export async function forgedTokens(good: GoodToken): Promise<Corpus> {
  const genuine = await sign(good);
  return {
    ...unsigned(good, genuine),
    ...byPublicKey(good),
    ...(await signWithOtherKey(good)),
    ...(await byHeader(good, genuine)),
    ...signatures(genuine),
    ...(await shapes(good, genuine)),
    ...(await wrongClaims(good)),
  };
}

function unsigned({ header, claims }: GoodToken, genuine: string): Corpus {
  const [, , signature = ""] = genuine.split(".");
  const corpus: Corpus = {};
  const algorithms = ["none", "None", "NONE", "nOnE", "", " none", "null", null, undefined, 0, ["none"], ["ES256"], {}];
  for (const alg of algorithms) {
    const head = encoded({ ...header, alg });
    corpus[`alg ${JSON.stringify(alg)} without a signature`] = `${head}.${encoded(claims)}.`;
    corpus[`alg ${JSON.stringify(alg)} with another token's signature`] = `${head}.${encoded(claims)}.${signature}`;
  }
  for (const alg of ["RS256", "PS256", "ES384", "ES512", "ES256K", "EdDSA", "HS256", "es256"]) {
    corpus[`alg ${alg} over a true signature`] = `${encoded({ ...header, alg })}.${encoded(claims)}.${signature}`;
  }
  return corpus;
}

/** The public key, which everybody has, taken as the secret of an HMAC. */
function byPublicKey({ keys, header, claims }: GoodToken): Corpus {
  const [jwk = {}] = keys.publicJwks.keys;
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x: jwk.x ?? "", y: jwk.y ?? "" }, format: "jwk" });
  const pem = key.export({ type: "spki", format: "pem" }).toString();
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(jwk.x ?? "", "base64url"),
    Buffer.from(jwk.y ?? "", "base64url"),
  ]);
  const secrets: Record<string, string | Buffer> = {
    "as JSON": JSON.stringify(jwk),
    "as a key set": JSON.stringify(keys.publicJwks),
    "as PEM": pem,
    "as PEM without its end": pem.trimEnd(),
    "as DER": key.export({ type: "spki", format: "der" }),
    "as a point": point,
    "by its coordinate": jwk.x ?? "",
    "by its name": jwk.kid ?? "",
    "that is empty": "",
  };
  const corpus: Corpus = {};
  for (const [form, secret] of Object.entries(secrets)) {
    for (const bits of ["256", "384", "512"]) {
      const text = `${encoded({ ...header, alg: `HS${bits}` })}.${encoded(claims)}`;
      const mac = createHmac(`sha${bits}`, secret).update(text).digest("base64url");
      corpus[`HMAC-${bits} with the public key ${form}`] = `${text}.${mac}`;
    }
  }
  return corpus;
}

const KIDS: unknown[] = [
  "../../../../../../dev/null",
  "/dev/null",
  "/proc/self/environ",
  "..\\..\\windows\\win.ini",
  "' OR 1=1 --",
  "x' UNION SELECT 'a' --",
  "$(id)",
  "https://rival.test/key",
  "__proto__",
  "constructor",
  "toString",
  "k".repeat(2500),
  "\u0000",
  "ключ",
  "",
  null,
  0,
  true,
  [],
  {},
];

async function signWithOtherKey(good: GoodToken): Promise<Corpus> {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = await exportJWK(pair.publicKey);
  const { kid } = good.header;
  const by = (header: object) => signedByHand(pair.privateKey, good, header);
  const corpus: Corpus = {
    "another key under our kid": by({}),
    "another key under its own kid": by({ kid: "rival" }),
    "another key without a kid": by({ kid: undefined }),
    "another key under our kid in a list": by({ kid: [kid] }),
    "an embedded key": by({ jwk }),
    "an embedded key that is called ours": by({ jwk: { ...jwk, kid, use: "sig", alg: "ES256" } }),
    "an embedded key and no kid": by({ jwk, kid: undefined }),
    "an embedded private key": by({ jwk: await exportJWK(pair.privateKey) }),
    "the address of a key set": by({ jku: "https://rival.test/jwks.json", kid: "rival" }),
    "the address of a key set that looks like ours": by({ jku: `${String(good.claims.iss)}@rival.test/oauth/jwks` }),
    "the address of a key set on disk": by({ jku: "file:///etc/passwd" }),
    "the address of a certificate": by({ x5u: "https://rival.test/cert.pem", kid: "rival" }),
    "an embedded certificate": by({ x5c: [Buffer.from("certificate").toString("base64")] }),
    "the thumbprint of a certificate": by({ x5t: "x", "x5t#S256": "y" }),
  };
  for (const wrong of KIDS)
    corpus[`another key under the kid ${JSON.stringify(wrong).slice(0, 40)}`] = by({ kid: wrong });
  for (const curve of ["P-384", "secp256k1"]) {
    const foreign = generateKeyPairSync("ec", { namedCurve: curve });
    corpus[`a key on ${curve}`] = signedByHand(foreign.privateKey, good, {});
  }
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  corpus["an RSA key that says ES256"] = signedByHand(rsa.privateKey, good, {});
  return corpus;
}

/** Signed manually, because libraries reject most of these. */
function signedByHand(key: KeyObject, { header, claims }: GoodToken, over: object): string {
  const text = `${encoded({ ...header, ...over })}.${encoded({ ...claims, jti: crypto.randomUUID() })}`;
  return `${text}.${signBytes("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** Headers that change the meaning of a token, signed with the real key where possible. */
async function byHeader(good: GoodToken, genuine: string): Promise<Corpus> {
  const [, body = "", signature = ""] = genuine.split(".");
  const corpus: Corpus = {};
  for (const typ of ["JWT", "id_token+jwt", "dpop+jwt", "rt+jwt", "logout+jwt", "at", ""]) {
    corpus[`typ ${typ}`] = await sign(good, {}, { typ });
  }
  corpus["no typ"] = await sign(good, {}, { typ: undefined });
  const critical: object[] = [
    { crit: ["x"], x: 1 },
    { crit: [] },
    { crit: ["exp"] },
    { crit: "x" },
    { crit: ["b64"], b64: false },
    { crit: ["alg"] },
    { crit: [1] },
  ];
  for (const extra of critical) {
    corpus[`a critical header ${JSON.stringify(extra)}`] =
      `${encoded({ ...good.header, ...extra })}.${body}.${signature}`;
  }
  const heads: Record<string, string> = {
    "that is an array": encoded([good.header]),
    "that is null": encoded("null"),
    "that is a number": encoded("1"),
    "that is not JSON": encoded("{alg:ES256}"),
    "that is empty": "",
    "that is not UTF-8": Buffer.of(0xff, 0xfe, 0x7b).toString("base64url"),
    "that says alg twice": encoded(JSON.stringify(good.header).replace("{", '{"alg":"none",')),
    "with a proxy's prototype": encoded(JSON.stringify(good.header).replace("{", '{"__proto__":{"alg":"ES256"},')),
    "with a zip": encoded({ ...good.header, zip: "DEF" }),
    "that says it is a JWT in a JWT": encoded({ ...good.header, cty: "JWT" }),
  };
  for (const [what, head] of Object.entries(heads)) corpus[`a header ${what}`] = `${head}.${body}.${signature}`;
  return corpus;
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A true signature, not quite as it was. */
function signatures(genuine: string): Corpus {
  const [head = "", body = "", text = ""] = genuine.split(".");
  const bytes = Buffer.from(text, "base64url");
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)];
  const flipped = Buffer.from(bytes);
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  const forms: Record<string, Buffer | string> = {
    stripped: "",
    "of one character": "A",
    "without its last byte": bytes.subarray(0, 63),
    "of half its length": r,
    "with a byte more": Buffer.concat([bytes, Buffer.of(0)]),
    "with 64 bytes more": Buffer.concat([bytes, bytes]),
    "in the form DER": der(r, s),
    "of zeros": Buffer.alloc(64),
    "of ones": Buffer.alloc(64, 0xff),
    "of the order of the curve": Buffer.concat([number(ORDER), number(ORDER)]),
    "of r alone": Buffer.concat([r, Buffer.alloc(32)]),
    "of s alone": Buffer.concat([Buffer.alloc(32), s]),
    "with its halves swapped": Buffer.concat([s, r]),
    "with one bit flipped": flipped,
    "with r negated": Buffer.concat([number(ORDER - BigInt(`0x${r.toString("hex")}`)), s]),
    padded: `${text}==`,
    "in the other base64": bytes.toString("base64"),
    "with loose last bits": text.slice(0, -1) + String.fromCharCode(text.charCodeAt(85) + 1),
    "that is not base64": "…",
  };
  const corpus: Corpus = {};
  for (const [what, form] of Object.entries(forms)) {
    corpus[`a signature ${what}`] = `${head}.${body}.${typeof form === "string" ? form : form.toString("base64url")}`;
  }
  return corpus;
}

function number(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}

function derInteger(bytes: Buffer): Buffer {
  const body = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, body.length), body]);
}

function der(r: Buffer, s: Buffer): Buffer {
  const both = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.of(0x30, both.length), both]);
}

/** The token with n - s instead of s, the other valid ECDSA signature. */
export function withNegatedS(token: string): string {
  const [head = "", body = "", signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const s = BigInt(`0x${bytes.subarray(32).toString("hex")}`);
  return `${head}.${body}.${Buffer.concat([bytes.subarray(0, 32), number(ORDER - s)]).toString("base64url")}`;
}

/** Tokens that are no signed three-part JWT. */
async function shapes({ keys, header, claims }: GoodToken, genuine: string): Promise<Corpus> {
  const [head = "", body = "", signature = ""] = genuine.split(".");
  const [jwk = {}] = keys.publicJwks.keys;
  const toUs = await importJWK({ ...jwk, alg: "ECDH-ES", use: "enc" }, "ECDH-ES");
  const encrypted = (text: string) =>
    new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM", typ: "at+jwt" })
      .encrypt(toUs);
  const bodies: Record<string, string> = {
    "that is not JSON": "{",
    "that is an array": "[]",
    "that is null": "null",
    "that is a text": '"x"',
    "that is empty": "",
    "that is very deep": "[".repeat(1000) + "]".repeat(1000),
    "of somebody else": JSON.stringify({ ...claims, sub: "somebody-else" }),
    "with more scopes": JSON.stringify({ ...claims, scope: "read analyses:create personas:create evaluations:manage" }),
  };
  const corpus: Corpus = {
    "one part": head,
    "two parts": `${head}.${body}`,
    "four parts": `${genuine}.${signature}`,
    "five parts": `${head}.${body}.${signature}.${body}.${signature}`,
    "parts that are empty": "..",
    "a dot before": `.${genuine}`,
    "a dot after": `${genuine}.`,
    "encrypted claims": await encrypted(JSON.stringify(claims)),
    "an encrypted token": await encrypted(genuine),
    "a token in JSON": JSON.stringify({ protected: head, payload: body, signature }),
    "a token in base64": encoded(genuine),
    "a token in quotes": `"${genuine}"`,
    "a token with a space": `${head} .${body}.${signature}`,
    "a token with a line": `${genuine}%0d%0a`,
    "two tokens": `${genuine},${genuine}`,
    "a header of padding": `${head}=.${body}.${signature}`,
    "an oversized header": `${encoded({ ...header, x: "x".repeat(9000) })}.${body}.${signature}`,
    "oversized claims": `${head}.${encoded({ ...claims, x: "x".repeat(9000) })}.${signature}`,
    oversized: "x".repeat(12_000),
    "oversized dots": ".".repeat(12_000),
    unicode: "токен",
    emoji: "🔑.🔑.🔑",
    "a word": "undefined",
    "a path": "../../etc/passwd",
    SQL: "' OR 1=1 --",
  };
  for (const [what, text] of Object.entries(bodies)) corpus[`claims ${what}`] = `${head}.${encoded(text)}.${signature}`;
  return corpus;
}

const HOUR = 3600;

/** Signed by our very key: wrong issuers, audiences, times, and claims of wrong types. */
async function wrongClaims(good: GoodToken): Promise<Corpus> {
  const { iss = "", aud } = good.claims;
  const now = Math.floor(Date.now() / 1000);
  const audience = String(aud);
  const claims: Record<string, object> = {
    expired: { iat: now - HOUR, exp: now - 16 },
    "expired long ago": { iat: 1, exp: 2 },
    "not valid yet": { nbf: now + HOUR },
    "not valid for a minute yet": { nbf: now + 60 },
    "from another issuer": { iss: "https://rival.test" },
    "from an issuer with a slash": { iss: `${iss}/` },
    "from an issuer in capitals": { iss: iss.toUpperCase() },
    "from an issuer that starts alike": { iss: `${iss}.rival.test` },
    "from several issuers": { iss: [iss] },
    "for another audience": { aud: "https://rival.test/v1" },
    "for our origin": { aud: iss },
    "for an audience with a slash": { aud: `${audience}/` },
    "for an audience that starts alike": { aud: `${audience}x` },
    "for an audience that is shorter": { aud: audience.slice(0, -1) },
    "for no one": { aud: [] },
    "for others": { aud: ["https://rival.test", "x"] },
    "of somebody else with this grant": { sub: good.other.sub },
    "of another program with this grant": { client_id: good.other.client_id },
    "of somebody else's grant": { gid: good.other.gid },
    "of a grant that never was": { gid: crypto.randomUUID() },
  };
  for (const name of ["iss", "aud", "sub", "exp", "iat", "jti", "client_id", "gid"]) {
    claims[`without ${name}`] = { [name]: undefined };
    const wrong: unknown[] = [null, {}, [{}], true, "", ...(name === "exp" || name === "iat" ? ["9999999999"] : [7])];
    for (const value of wrong) claims[`whose ${name} is ${JSON.stringify(value)}`] = { [name]: value };
  }
  for (const value of ["x", null, {}, [], true]) claims[`whose nbf is ${JSON.stringify(value)}`] = { nbf: value };
  const corpus: Corpus = {};
  for (const [what, over] of Object.entries(claims))
    corpus[`a true signature over claims ${what}`] = await signAnything(good, over);
  return corpus;
}

/** The library refuses claims of wrong types at signing too. */
async function signAnything({ keys, header, claims }: GoodToken, over: object): Promise<string> {
  const text = `${encoded(header)}.${encoded({ ...claims, jti: crypto.randomUUID(), ...over })}`;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, keys.privateKey, Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}
