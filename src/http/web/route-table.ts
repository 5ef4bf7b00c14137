import { actionRoutes } from "../../console/actions/action-routes.ts";
import { analysisRoutes } from "../../console/analyses/analysis-routes.ts";
import { answerRoutes } from "../../console/answers/answer-routes.ts";
import { apiKeyRoutes } from "../../console/api-keys/api-key-routes.ts";
import { approvalRoutes } from "../../console/assistants/approval-routes.ts";
import { assistantRoutes } from "../../console/assistants/assistant-routes.ts";
import { auditLogRoutes } from "../../console/audit-log/audit-log-routes.ts";
import { auditRoutes } from "../../console/audits/audit-routes.ts";
import { authoringToolRoutes } from "../../console/briefs/authoring-tool-routes.ts";
import { brandRoutes } from "../../console/brands/brand-routes.ts";
import { briefRoutes } from "../../console/briefs/brief-routes.ts";
import { domainRoutes } from "../../console/domains/domain-routes.ts";
import { evaluationRoutes } from "../../console/assets/evaluation-routes.ts";
import { exportRoutes } from "../../console/exports/export-routes.ts";
import { homeRoutes } from "../../console/home/home-routes.ts";
import { importRoutes } from "../../console/analyses/import-routes.ts";
import { memberRoutes } from "../../console/members/member-routes.ts";
import { newAnalysisRoutes } from "../../console/new-analysis/new-analysis-routes.ts";
import { organizationRoutes } from "../../console/organizations/organization-routes.ts";
import { ownAccountRoutes } from "../../console/account/own-account-routes.ts";
import { perceptionRoutes } from "../../console/perception/perception-routes.ts";
import { platformAccountRoutes } from "../../console/platforms/platform-account-routes.ts";
import { promptRoutes } from "../../console/prompts/prompt-routes.ts";
import { provisioningRoutes } from "../../console/sso/provisioning-routes.ts";
import { secondFactorRoutes } from "../../console/account/second-factor-routes.ts";
import { signInAgainRoutes } from "../../console/account/sign-in-again-routes.ts";
import { siteRoutes } from "../../console/sites/site-routes.ts";
import { sourceRoutes } from "../../console/sources/source-routes.ts";
import { ssoSettingsRoutes } from "../../console/sso/sso-settings-routes.ts";
import { visibilityRoutes } from "../../console/visibility/visibility-routes.ts";
import { accountRoutes } from "../sign-in/account-routes.ts";
import { interactionRoutes } from "../sign-in/interaction-routes.ts";
import { invitationRoutes } from "../sign-in/invitation-routes.ts";
import { samlRoutes } from "../sign-in/saml-routes.ts";
import { secondFactorSignInRoutes } from "../sign-in/second-factor-routes.ts";
import { ssoSignInRoutes } from "../sign-in/sso-sign-in-routes.ts";
import { ssoRoutes } from "../sign-in/sso-routes.ts";
import type { Route } from "../pages/routes.ts";

/** The first match wins. The navigation bar has this order. */
export const WEB_ROUTES: readonly Route[] = [
  ...visibilityRoutes,
  ...promptRoutes,
  ...answerRoutes,
  ...siteRoutes,
  ...perceptionRoutes,
  ...auditRoutes,
  ...actionRoutes,
  ...brandRoutes,
  ...importRoutes,
  ...analysisRoutes,
  ...homeRoutes,
  ...interactionRoutes,
  ...accountRoutes,
  ...secondFactorSignInRoutes,
  ...signInAgainRoutes,
  ...invitationRoutes,
  ...apiKeyRoutes,
  ...ssoSettingsRoutes,
  ...ssoSignInRoutes,
  ...ssoRoutes,
  ...samlRoutes,
  ...assistantRoutes,
  ...ownAccountRoutes,
  ...secondFactorRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...sourceRoutes,
  ...auditLogRoutes,
  ...domainRoutes,
  ...provisioningRoutes,
  ...briefRoutes,
  ...newAnalysisRoutes,
  ...exportRoutes,
  ...evaluationRoutes,
  ...authoringToolRoutes,
  ...platformAccountRoutes,
  ...approvalRoutes,
];
