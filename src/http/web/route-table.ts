import { actionRoutes } from "./console/actions.ts";
import { analysisRoutes } from "./console/analyses.ts";
import { answerRoutes } from "./console/answers.ts";
import { apiKeyRoutes } from "./console/api-keys.ts";
import { approvalRoutes } from "./console/approval.ts";
import { assistantRoutes } from "./console/assistants.ts";
import { auditLogRoutes } from "./console/audit-log.ts";
import { auditRoutes } from "./console/audits.ts";
import { authoringToolRoutes } from "./console/authoring-tool.ts";
import { brandRoutes } from "./console/brands.ts";
import { briefRoutes } from "./console/brief.ts";
import { domainRoutes } from "./console/domains.ts";
import { evaluationRoutes } from "./console/evaluation.ts";
import { exportRoutes } from "./console/exports.ts";
import { homeRoutes } from "./console/home.ts";
import { importRoutes } from "./console/import.ts";
import { memberRoutes } from "./console/members.ts";
import { newAnalysisRoutes } from "./console/new-analysis/new-analysis.ts";
import { organizationRoutes } from "./console/organizations.ts";
import { ownAccountRoutes } from "./console/own-account.ts";
import { perceptionRoutes } from "./console/perception.ts";
import { platformAccountRoutes } from "./console/platform-accounts.ts";
import { promptRoutes } from "./console/prompts.ts";
import { provisioningRoutes } from "./console/provisioning.ts";
import { secondFactorRoutes } from "./console/second-factor.ts";
import { signInAgainRoutes } from "./console/sign-in-again.ts";
import { siteRoutes } from "./console/sites.ts";
import { sourceRoutes } from "./console/sources.ts";
import { ssoSettingsRoutes } from "./console/sso-settings.ts";
import { visibilityRoutes } from "./console/visibility.ts";
import { accountRoutes } from "./sign-in/account.ts";
import { interactionRoutes } from "./sign-in/interaction.ts";
import { invitationRoutes } from "./sign-in/invitations.ts";
import { samlRoutes } from "./sign-in/saml.ts";
import { secondFactorSignInRoutes } from "./sign-in/second-factor.ts";
import { ssoSignInRoutes } from "./sign-in/sso-sign-in.ts";
import { ssoRoutes } from "./sign-in/sso.ts";
import type { Route } from "./routes.ts";

/** Every address of the web interface but those of the authorization server. The first that fits a request answers it. */
export const ROUTES: readonly Route[] = [
  ...interactionRoutes,
  ...accountRoutes,
  ...secondFactorSignInRoutes,
  ...signInAgainRoutes,
  ...invitationRoutes,
  ...homeRoutes,
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
  ...actionRoutes,
  ...briefRoutes,
  ...importRoutes,
  ...analysisRoutes,
  ...newAnalysisRoutes,
  ...visibilityRoutes,
  ...answerRoutes,
  ...brandRoutes,
  ...exportRoutes,
  ...promptRoutes,
  ...siteRoutes,
  ...perceptionRoutes,
  ...auditRoutes,
  ...evaluationRoutes,
  ...authoringToolRoutes,
  ...platformAccountRoutes,
  ...approvalRoutes,
];
