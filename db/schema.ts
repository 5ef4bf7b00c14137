import * as actionTables from "./actions/schema/actions.ts";
import * as analysisTables from "./analyses/schema/analyses.ts";
import * as answerTables from "./answers/schema/answers.ts";
import * as assetTables from "./assets/schema/assets.ts";
import * as auditTables from "./audits/schema/audits.ts";
import * as backgroundTables from "./jobs/schema/background.ts";
import * as catalogTables from "./catalog/schema/catalog.ts";
import * as credentialTables from "./identity/schema/credentials.ts";
import * as creditTables from "./credits/schema/credits.ts";
import * as domainTables from "./identity/schema/domains.ts";
import * as evaluationTables from "./assets/schema/evaluations.ts";
import * as importTables from "./answers/schema/imports.ts";
import * as exportTables from "./exports/schema/exports.ts";
import * as factTables from "./catalog/schema/facts.ts";
import * as identityTables from "./identity/schema/identity.ts";
import * as accountTables from "./identity/schema/own-account.ts";
import * as factorTables from "./identity/schema/second-factors.ts";
import * as keywordTables from "./analyses/schema/keywords.ts";
import * as memberTables from "./identity/schema/members.ts";
import * as partnerTables from "./platforms/schema/partner.ts";
import * as platformTables from "./platforms/schema/platforms.ts";
import * as providerTables from "./sources/schema/providers.ts";
import * as secretTables from "./identity/schema/secrets.ts";
import * as scimTables from "./identity/schema/scim.ts";
import * as ssoTables from "./identity/schema/sso.ts";
import * as samlTables from "./identity/schema/saml.ts";
import * as suggestionTables from "./catalog/schema/suggestions.ts";
import * as tagTables from "./catalog/schema/tags.ts";

export const tables = {
  ...evaluationTables,
  ...exportTables,
  ...factTables,
  ...identityTables,
  ...importTables,
  ...accountTables,
  ...factorTables,
  ...keywordTables,
  ...memberTables,
  ...catalogTables,
  ...analysisTables,
  ...answerTables,
  ...assetTables,
  ...auditTables,
  ...backgroundTables,
  ...credentialTables,
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
