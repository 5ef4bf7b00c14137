import { z } from "zod";

// Parsed by the library: elements are lists by local name, text is `_`, attributes are `$`.

const TextSchema = z.object({ _: z.string() }).transform(({ _: text }) => text.trim());
const AttributeValueSchema = z.union([
  z.object({ _: z.string() }).transform(({ _: text }) => text.trim()),
  z.unknown(),
]);

/** Time in UTC (SAML Core section 1.3.3). */
const TimestampSchema = z.iso.datetime({ offset: true });

const ConfirmationSchema = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z
    .tuple([
      z.object({
        $: z.object({
          Recipient: z.string(),
          NotOnOrAfter: TimestampSchema,
          NotBefore: TimestampSchema.optional(),
          InResponseTo: z.string().optional(),
        }),
      }),
    ])
    .optional(),
});

const AttributeSchema = z.object({
  $: z.object({ Name: z.string() }),
  AttributeValue: z.array(AttributeValueSchema).optional(),
});
const Statement = z.object({ Attribute: z.array(AttributeSchema).optional() });
const EmptyStatementSchema = z.string().transform((): z.output<typeof Statement> => ({}));

/** Authentication statement (SAML Core section 2.7.2). */
const AuthnStatementSchema = z.object({ $: z.object({ AuthnInstant: TimestampSchema.optional() }).optional() });

/** Required parts of an assertion (SAML Profiles section 4.1.4.2). */
export const AssertionSchema = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1), Version: z.literal("2.0") }),
    Issuer: z.tuple([TextSchema]),
    Subject: z.tuple([
      z.object({
        NameID: z.tuple([z.object({ _: z.string(), $: z.object({ Format: z.string().optional() }).optional() })]),
        SubjectConfirmation: z.array(ConfirmationSchema).min(1),
      }),
    ]),
    Conditions: z.tuple([
      z.object({
        $: z.object({ NotBefore: TimestampSchema.optional(), NotOnOrAfter: TimestampSchema.optional() }).optional(),
        AudienceRestriction: z.array(z.object({ Audience: z.array(TextSchema).min(1) })).min(1),
      }),
    ]),
    AuthnStatement: z.array(AuthnStatementSchema).min(1),
    AttributeStatement: z.array(z.union([Statement, EmptyStatementSchema])).optional(),
  }),
});
export type SignedAssertion = z.output<typeof AssertionSchema>["Assertion"];

const COMMON_NAMES: Readonly<Record<"email" | "name" | "groups", readonly string[]>> = {
  email: [
    "email",
    "mail",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  ],
  name: [
    "name",
    "displayName",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
  ],
  groups: ["groups", "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups", "memberOf"],
};

/** If the configured name is the default one, common names are tried in order. */
export function listAttributeValues(
  { AttributeStatement: statements = [] }: SignedAssertion,
  name: string,
  fact: keyof typeof COMMON_NAMES,
): string[] {
  const attributes = statements.flatMap(({ Attribute: list = [] }) => list);
  const names = name === fact ? COMMON_NAMES[fact] : [name];
  for (const one of names) {
    const values = attributes.filter(({ $ }) => $.Name === one).flatMap(({ AttributeValue: list = [] }) => list);
    const texts = values.filter((value) => typeof value === "string").filter((value) => value !== "");
    if (texts.length > 0) return texts;
  }
  return [];
}
