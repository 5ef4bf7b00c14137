// Types for the parts of this untyped package that the tests use.
declare module "samlp" {
  import type { Request, RequestHandler } from "express";

  interface ProfileMap {
    getClaims(): Record<string, unknown>;
    getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat: string };
  }
  interface ResponseOptions {
    issuer: string;
    cert: string;
    key: string;
    audience: string;
    recipient: string;
    destination: string;
    inResponseTo?: string | undefined;
    lifetimeInSeconds?: number;
    signAssertion?: boolean;
    signResponse?: boolean;
    signatureAlgorithm: string;
    digestAlgorithm: string;
    profileMapper(user: unknown): ProfileMap;
  }
  export interface ParsedRequest {
    id: string;
    issuer: string;
    assertionConsumerServiceURL: string;
  }
  type Done<T> = (error: Error | null, value?: T) => void;

  const samlp: {
    parseRequest(request: Request, options: object, done: Done<ParsedRequest>): void;
    getSamlResponse(options: ResponseOptions, user: unknown, done: Done<string>): void;
    metadata(options: { issuer: string; cert: string; redirectEndpointPath: string }): RequestHandler;
  };
  export default samlp;
}
