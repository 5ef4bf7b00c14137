import * as actionTables from "./schema/actions.ts";
import * as analysisTables from "./schema/analyses.ts";
import * as answerTables from "./schema/answers.ts";
import * as assetTables from "./schema/assets.ts";
import * as backgroundTables from "./schema/background.ts";
import * as catalogTables from "./schema/catalog.ts";
import * as creditTables from "./schema/credits.ts";
import * as domainTables from "./schema/domains.ts";
import * as evaluationTables from "./schema/evaluations.ts";
import * as identityTables from "./schema/identity.ts";
import * as memberTables from "./schema/members.ts";
import * as partnerTables from "./schema/partner.ts";
import * as platformTables from "./schema/platforms.ts";
import * as providerTables from "./schema/providers.ts";
import * as secretTables from "./schema/secrets.ts";
import * as scimTables from "./schema/scim.ts";
import * as ssoTables from "./schema/sso.ts";
import * as samlTables from "./schema/saml.ts";
import * as suggestionTables from "./schema/suggestions.ts";
import * as tagTables from "./schema/tags.ts";

/** Every table of the store. */
export const tables = {
  ...evaluationTables,
  ...identityTables,
  ...memberTables,
  ...catalogTables,
  ...analysisTables,
  ...answerTables,
  ...assetTables,
  ...backgroundTables,
  ...creditTables,
  ...domainTables,
  ...partnerTables,
  ...platformTables,
  ...providerTables,
  ...secretTables,
  ...scimTables,
  ...ssoTables,
  ...samlTables,
  ...suggestionTables,
  ...actionTables,
  ...tagTables,
};
export type Tables = typeof tables;
