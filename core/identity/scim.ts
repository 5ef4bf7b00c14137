import { z } from "zod";
import { textSchema, removeInvisible } from "../shared/fields.ts";

// Supported resources of RFC 7643. Traits are declared with each attribute, so that schemas,
// filters, PATCH and validation agree.

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

export const MAX_GROUP_MEMBERS = 10_000;

/** Traits of an attribute that differ from the defaults (RFC 7643 section 7). */
interface Traits {
  caseExact?: true;
  mutability?: "readOnly" | "immutable";
  returned?: "always";
  uniqueness?: "server";
  type?: "dateTime" | "reference";
  required?: true;
}

const traits = (description: string, of: Traits = {}) => ({ description, "x-scim": of });

/** Display text: invisible and invalid characters are removed instead of rejected. */
const displayText = (maxLength: number, description: string, of?: Traits) =>
  z
    .string()
    .max(maxLength)
    .overwrite((value) => removeInvisible(value).toWellFormed().trim())
    .meta(traits(description, of));

/** Identifying text: stored unchanged, or rejected. */
const identifyingTextField = (maxLength: number, description: string, of?: Traits) =>
  textSchema(maxLength)
    .min(1)
    .refine((value) => value.isWellFormed() && value.trim() === value, "must not begin or end with a space")
    .meta(traits(description, of));

const booleanField = (description: string) => z.boolean().meta(traits(description));

const EmailSchema = z.object({
  value: displayText(320, "E-mail address.").optional(),
  display: displayText(255, "Name shown for it.").optional(),
  type: displayText(50, "Such as work or home.").toLowerCase().optional(),
  primary: booleanField("True for the address that is used first.").optional(),
});

const PersonNameSchema = z.object({
  formatted: displayText(500, "The full name.").optional(),
  familyName: displayText(255, "Family name.").optional(),
  givenName: displayText(255, "Given name.").optional(),
  middleName: displayText(255, "Middle name.").optional(),
  honorificPrefix: displayText(100, "Title before the name.").optional(),
  honorificSuffix: displayText(100, "What follows the name.").optional(),
});

/** Stored fields of a person besides user name, external id and active. */
export const ScimUserDetails = z.object({
  name: PersonNameSchema.meta(traits("The parts of the name.")).optional(),
  displayName: displayText(255, "The name that is shown.").optional(),
  title: displayText(255, "Position, such as Vice President.").optional(),
  userType: displayText(100, "How the person belongs to the organization.").optional(),
  preferredLanguage: displayText(50, "Preferred language, as in Accept-Language.").optional(),
  locale: displayText(50, "For the format of dates and numbers, such as en-US.").optional(),
  timezone: displayText(100, "Time zone of the IANA database.").optional(),
  emails: z.array(EmailSchema).max(20).meta(traits("E-mail addresses; the primary one is the account's.")).optional(),
});
export type ScimUserDetails = z.output<typeof ScimUserDetails>;

export const ScimUserInput = ScimUserDetails.extend({
  userName: identifyingTextField(
    320,
    "What the person is called at the identity provider, unique in the organization.",
    {
      uniqueness: "server",
      required: true,
    },
  ),
  externalId: identifyingTextField(255, "The identity provider's own identifier.", { caseExact: true }).optional(),
  active: booleanField("False ends every access at once.").optional(),
});
export type ScimUserInput = z.output<typeof ScimUserInput>;

const GroupMemberSchema = z.object({
  value: identifyingTextField(100, "The id of a user.", { caseExact: true, mutability: "immutable" }),
  $ref: z
    .string()
    .meta(traits("Address of the user.", { type: "reference", mutability: "readOnly" }))
    .optional(),
  display: z
    .string()
    .meta(traits("Name of the user.", { mutability: "readOnly" }))
    .optional(),
  type: z
    .string()
    .meta(traits("Always User: groups hold no groups.", { mutability: "readOnly" }))
    .optional(),
});

export const ScimGroupInput = z.object({
  displayName: identifyingTextField(255, "Name of the group.", { required: true }),
  externalId: identifyingTextField(255, "The identity provider's own identifier.", { caseExact: true }).optional(),
  members: z.array(GroupMemberSchema).max(MAX_GROUP_MEMBERS).meta(traits("Users of the group.")).optional(),
});
export type ScimGroupInput = z.output<typeof ScimGroupInput>;

const dateTimeField = (description: string) =>
  z.string().meta(traits(description, { type: "dateTime", mutability: "readOnly" }));
const createReadOnlyField = (description: string) =>
  z.string().meta(traits(description, { caseExact: true, mutability: "readOnly" }));

const commonFields = {
  schemas: z
    .array(z.string())
    .meta(traits("Schemas of this resource.", { returned: "always", mutability: "readOnly" })),
  id: z.string().meta(traits("Our identifier.", { caseExact: true, returned: "always", mutability: "readOnly" })),
  meta: z
    .object({
      resourceType: createReadOnlyField("User or Group."),
      created: dateTimeField("When it was made."),
      lastModified: dateTimeField("When it was last changed."),
      location: createReadOnlyField("Its address."),
      version: createReadOnlyField("Its version, as in ETag."),
    })
    .meta(traits("About the resource itself.", { mutability: "readOnly" })),
};

const GroupReferenceSchema = z.object({
  value: createReadOnlyField("The id of a group."),
  $ref: z.string().meta(traits("Address of the group.", { type: "reference", mutability: "readOnly" })),
  display: z.string().meta(traits("Name of the group.", { mutability: "readOnly" })),
});

export const ScimUser = ScimUserInput.extend({
  ...commonFields,
  groups: z
    .array(GroupReferenceSchema)
    .meta(traits("Groups of the user.", { mutability: "readOnly" }))
    .optional(),
});
export type ScimUser = z.output<typeof ScimUser>;

export const ScimGroup = ScimGroupInput.extend(commonFields);
export type ScimGroup = z.output<typeof ScimGroup>;
