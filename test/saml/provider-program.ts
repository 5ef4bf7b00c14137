import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import samlp, { type ParsedRequest } from "samlp";
import { createCertificate } from "./certificate.ts";
import { html } from "../../src/http/pages/html.ts";

// A SAML identity provider in a separate process on loopback, with generated keys. It signs in the
// user it is given.

/** Instructions for the provider's response. Omitted fields take valid defaults. */
export interface ResponseSettings {
  user: { subject: string; format?: string; attributes: Record<string, unknown> };
  audience?: string;
  recipient?: string;
  issuer?: string;
  lifetimeInSeconds?: number;
  signAssertion?: boolean;
  signResponse?: boolean;
  signatureAlgorithm?: "rsa-sha256" | "rsa-sha1";
  digestAlgorithm?: "sha256" | "sha1";
  /** Signs with a key that is missing from the metadata. */
  otherKey?: boolean;
  /** Null leaves it out. */
  inResponseTo?: string | null;
}

let told: ResponseSettings = { user: { subject: "nobody", attributes: {} } };
const [own, other] = await Promise.all([createCertificate(), createCertificate()]);
const app = express();
const server = app.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Address http://127.0.0.1:${port}\nReady\n`);
});
const issuerOf = (host: string) => `http://${host}/metadata`;

/** A page with a form that posts the response, as providers use. */
function form(acsUrl: string, response: string, relayState: string): string {
  const field = Buffer.from(response).toString("base64");
  return html`<!doctype html>
    <title>Provider</title>
    <body onload="document.forms[0].submit()">
      <form method="post" action="${acsUrl}">
        <input type="hidden" name="SAMLResponse" value="${field}" />
        <input type="hidden" name="RelayState" value="${relayState}" />
      </form>
    </body>`.markup;
}

interface Asked {
  host: string;
  audience: string;
  acsUrl: string;
  requestId: string | undefined;
}

function respond({ host, audience, acsUrl, requestId }: Asked): Promise<string> {
  const { user, issuer = issuerOf(host), signatureAlgorithm = "rsa-sha256", digestAlgorithm = "sha256" } = told;
  const { key, certificate: cert } = told.otherKey ? other : own;
  const inResponseTo = told.inResponseTo === undefined ? requestId : (told.inResponseTo ?? undefined);
  return new Promise((resolve, reject) => {
    samlp.getSamlResponse(
      {
        key,
        cert,
        issuer,
        audience: told.audience ?? audience,
        recipient: told.recipient ?? acsUrl,
        destination: acsUrl,
        inResponseTo,
        lifetimeInSeconds: told.lifetimeInSeconds ?? 300,
        signAssertion: told.signAssertion ?? true,
        signResponse: told.signResponse ?? false,
        signatureAlgorithm,
        digestAlgorithm,
        profileMapper: () => ({
          getClaims: () => user.attributes,
          getNameIdentifier: () => ({
            nameIdentifier: user.subject,
            nameIdentifierFormat: user.format ?? "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
          }),
        }),
      },
      user,
      (error, response) => (error ? reject(error) : resolve(String(response))),
    );
  });
}

app.put("/told", express.json(), (request, response) => {
  told = request.body as ResponseSettings;
  response.end();
});
app.get("/metadata", (request, response, next) => {
  const issuer = issuerOf(request.headers.host ?? "");
  samlp.metadata({ issuer, cert: own.certificate, redirectEndpointPath: "/sign-in" })(request, response, next);
});
app.get("/sign-in", async (request, response) => {
  const { issuer: audience, assertionConsumerServiceURL: acsUrl, id: requestId } = await askedIn(request);
  const answer = await respond({ host: request.headers.host ?? "", audience, acsUrl, requestId });
  const { RelayState: relayState = "" } = request.query as Record<string, string>;
  response.send(form(acsUrl, answer, relayState));
});
/** Sign-in initiated at the provider, without a request. */
app.get("/launch", async (request, response) => {
  const { audience = "", acs = "", relay = "" } = request.query as Record<string, string>;
  const answer = await respond({ host: request.headers.host ?? "", audience, acsUrl: acs, requestId: undefined });
  response.send(form(acs, answer, relay));
});

function askedIn(request: Request): Promise<ParsedRequest> {
  return new Promise((resolve, reject) => {
    samlp.parseRequest(request, {}, (error, asked) => {
      if (asked) resolve(asked);
      else reject(error ?? new Error("There is no request."));
    });
  });
}
