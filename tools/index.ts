// Written by `npm run generate` from the files of this folder.
import type { AnyEndpoint } from "./endpoint.ts";
import { disconnectAssistant } from "./account/disconnect-assistant.ts";
import { endSession } from "./account/end-session.ts";
import { listAssistants } from "./account/list-assistants.ts";
import { listSessions } from "./account/list-sessions.ts";
import { signOutEverywhere } from "./account/sign-out-everywhere.ts";
import { updateMe } from "./account/update-me.ts";
import { archiveAnalysis } from "./analyses/archive-analysis.ts";
import { changeSetup } from "./analyses/change-setup.ts";
import { createBrandAnalysis } from "./analyses/create-brand-analysis.ts";
import { createGeoAudit } from "./analyses/create-geo-audit.ts";
import { createSearchAnalysis } from "./analyses/create-search-analysis.ts";
import { duplicateAnalysis } from "./analyses/duplicate-analysis.ts";
import { getAnalysis } from "./analyses/get-analysis.ts";
import { getAnswer } from "./analyses/get-answer.ts";
import { getCollect } from "./analyses/get-collect.ts";
import { getImportReport } from "./analyses/get-import-report.ts";
import { importAnswers } from "./analyses/import-answers.ts";
import { listAnalyses } from "./analyses/list-analyses.ts";
import { listAnswers } from "./analyses/list-answers.ts";
import { listCollects } from "./analyses/list-collects.ts";
import { listKeywords } from "./analyses/list-keywords.ts";
import { listPrompts } from "./analyses/list-prompts.ts";
import { pauseAnalysis } from "./analyses/pause-analysis.ts";
import { priceBrandAnalysis } from "./analyses/price-brand-analysis.ts";
import { priceCollect } from "./analyses/price-collect.ts";
import { priceGeoAudit } from "./analyses/price-geo-audit.ts";
import { priceSearchAnalysis } from "./analyses/price-search-analysis.ts";
import { priceSetup } from "./analyses/price-setup.ts";
import { resumeAnalysis } from "./analyses/resume-analysis.ts";
import { runCollect } from "./analyses/run-collect.ts";
import { updateAnalysis } from "./analyses/update-analysis.ts";
import { archiveAssetEvaluation } from "./asset-evaluations/archive-asset-evaluation.ts";
import { createAssetEvaluation } from "./asset-evaluations/create-asset-evaluation.ts";
import { getAssetEvaluation } from "./asset-evaluations/get-asset-evaluation.ts";
import { listAssetEvaluationScores } from "./asset-evaluations/list-asset-evaluation-scores.ts";
import { listAssetEvaluations } from "./asset-evaluations/list-asset-evaluations.ts";
import { priceAssetEvaluation } from "./asset-evaluations/price-asset-evaluation.ts";
import { rerunAssetEvaluation } from "./asset-evaluations/rerun-asset-evaluation.ts";
import { updateAssetEvaluation } from "./asset-evaluations/update-asset-evaluation.ts";
import { archiveAsset } from "./assets/archive-asset.ts";
import { createAsset } from "./assets/create-asset.ts";
import { getAsset } from "./assets/get-asset.ts";
import { listAssets } from "./assets/list-assets.ts";
import { listAuditLog } from "./audit-log/list-audit-log.ts";
import { getAuditPage } from "./audits/get-audit-page.ts";
import { getAudit } from "./audits/get-audit.ts";
import { listAuditChecks } from "./audits/list-audit-checks.ts";
import { listAuditPages } from "./audits/list-audit-pages.ts";
import { updateAuditPage } from "./audits/update-audit-page.ts";
import { createApiKey } from "./auth/create-api-key.ts";
import { deleteApiKey } from "./auth/delete-api-key.ts";
import { exchangeApiKey } from "./auth/exchange-api-key.ts";
import { getApiKey } from "./auth/get-api-key.ts";
import { getMe } from "./auth/get-me.ts";
import { listApiKeys } from "./auth/list-api-keys.ts";
import { refreshToken } from "./auth/refresh-token.ts";
import { revokeToken } from "./auth/revoke-token.ts";
import { rotateApiKey } from "./auth/rotate-api-key.ts";
import { createBrandFact } from "./brand-facts/create-brand-fact.ts";
import { deleteBrandFact } from "./brand-facts/delete-brand-fact.ts";
import { listBrandFacts } from "./brand-facts/list-brand-facts.ts";
import { updateBrandFact } from "./brand-facts/update-brand-fact.ts";
import { acceptBrandSuggestion } from "./brand-suggestions/accept-brand-suggestion.ts";
import { dismissBrandSuggestion } from "./brand-suggestions/dismiss-brand-suggestion.ts";
import { listBrandSuggestions } from "./brand-suggestions/list-brand-suggestions.ts";
import { mergeBrandSuggestion } from "./brand-suggestions/merge-brand-suggestion.ts";
import { undoBrandSuggestion } from "./brand-suggestions/undo-brand-suggestion.ts";
import { bulkCreateBrands } from "./brands/bulk-create-brands.ts";
import { createBrand } from "./brands/create-brand.ts";
import { deleteBrand } from "./brands/delete-brand.ts";
import { getBrand } from "./brands/get-brand.ts";
import { getCatalogReading } from "./brands/get-catalog-reading.ts";
import { listBrands } from "./brands/list-brands.ts";
import { restoreBrand } from "./brands/restore-brand.ts";
import { updateBrand } from "./brands/update-brand.ts";
import { createContentBrief } from "./content-briefs/create-content-brief.ts";
import { deleteContentBrief } from "./content-briefs/delete-content-brief.ts";
import { getContentBrief } from "./content-briefs/get-content-brief.ts";
import { listContentBriefs } from "./content-briefs/list-content-briefs.ts";
import { updateContentBrief } from "./content-briefs/update-content-brief.ts";
import { addOrganizationDomain } from "./domains/add-organization-domain.ts";
import { deleteOrganizationDomain } from "./domains/delete-organization-domain.ts";
import { listOrganizationDomainAccounts } from "./domains/list-organization-domain-accounts.ts";
import { listOrganizationDomains } from "./domains/list-organization-domains.ts";
import { verifyOrganizationDomain } from "./domains/verify-organization-domain.ts";
import { createExport } from "./exports/create-export.ts";
import { deleteExport } from "./exports/delete-export.ts";
import { getExport } from "./exports/get-export.ts";
import { listExports } from "./exports/list-exports.ts";
import { addFavourite } from "./favourites/add-favourite.ts";
import { listFavourites } from "./favourites/list-favourites.ts";
import { removeFavourite } from "./favourites/remove-favourite.ts";
import { createInvitation } from "./members/create-invitation.ts";
import { getMember } from "./members/get-member.ts";
import { getWorkspaceMember } from "./members/get-workspace-member.ts";
import { listInvitations } from "./members/list-invitations.ts";
import { listMembers } from "./members/list-members.ts";
import { listWorkspaceMembers } from "./members/list-workspace-members.ts";
import { removeMember } from "./members/remove-member.ts";
import { removeWorkspaceMember } from "./members/remove-workspace-member.ts";
import { resetSecondFactor } from "./members/reset-second-factor.ts";
import { revokeInvitation } from "./members/revoke-invitation.ts";
import { setMember } from "./members/set-member.ts";
import { setWorkspaceMember } from "./members/set-workspace-member.ts";
import { explainMetrics } from "./metrics/explain-metrics.ts";
import { getAttributes } from "./metrics/get-attributes.ts";
import { getBrandAwareness } from "./metrics/get-brand-awareness.ts";
import { getBrandPerception } from "./metrics/get-brand-perception.ts";
import { getCalibration } from "./metrics/get-calibration.ts";
import { getComparisons } from "./metrics/get-comparisons.ts";
import { getMethodGaps } from "./metrics/get-method-gaps.ts";
import { getVisibility } from "./metrics/get-visibility.ts";
import { listCitations } from "./metrics/list-citations.ts";
import { listClaims } from "./metrics/list-claims.ts";
import { listQueries } from "./metrics/list-queries.ts";
import { getCredits } from "./organizations/get-credits.ts";
import { getOrganization } from "./organizations/get-organization.ts";
import { listCreditLedger } from "./organizations/list-credit-ledger.ts";
import { listOrganizations } from "./organizations/list-organizations.ts";
import { updateOrganization } from "./organizations/update-organization.ts";
import { createPersona } from "./personas/create-persona.ts";
import { deletePersona } from "./personas/delete-persona.ts";
import { getPersona } from "./personas/get-persona.ts";
import { listPersonas } from "./personas/list-personas.ts";
import { updatePersona } from "./personas/update-persona.ts";
import { connectPartner } from "./platform-integrations/connect-partner.ts";
import { deletePlatformIntegration } from "./platform-integrations/delete-platform-integration.ts";
import { disconnectPartner } from "./platform-integrations/disconnect-partner.ts";
import { listPlatformAccounts } from "./platform-integrations/list-platform-accounts.ts";
import { listPlatformIntegrations } from "./platform-integrations/list-platform-integrations.ts";
import { refreshPlatformIntegration } from "./platform-integrations/refresh-platform-integration.ts";
import { updatePlatformAccount } from "./platform-integrations/update-platform-account.ts";
import { updatePlatformIntegration } from "./platform-integrations/update-platform-integration.ts";
import { bulkDismissRecommendedActions } from "./recommended-actions/bulk-dismiss-recommended-actions.ts";
import { dismissRecommendedAction } from "./recommended-actions/dismiss-recommended-action.ts";
import { getRecommendedActionBrief } from "./recommended-actions/get-recommended-action-brief.ts";
import { getRecommendedActionTask } from "./recommended-actions/get-recommended-action-task.ts";
import { getRecommendedAction } from "./recommended-actions/get-recommended-action.ts";
import { listRecommendedActionTasks } from "./recommended-actions/list-recommended-action-tasks.ts";
import { listRecommendedActions } from "./recommended-actions/list-recommended-actions.ts";
import { reconsiderRecommendedAction } from "./recommended-actions/reconsider-recommended-action.ts";
import { sendRecommendedActionBriefToPartner } from "./recommended-actions/send-recommended-action-brief-to-partner.ts";
import { updateRecommendedActionBrief } from "./recommended-actions/update-recommended-action-brief.ts";
import { updateRecommendedAction } from "./recommended-actions/update-recommended-action.ts";
import { createScimToken } from "./scim/create-scim-token.ts";
import { deleteScimToken } from "./scim/delete-scim-token.ts";
import { listScimGroups } from "./scim/list-scim-groups.ts";
import { listScimTokens } from "./scim/list-scim-tokens.ts";
import { updateScimGroup } from "./scim/update-scim-group.ts";
import { getProjectFilters } from "./search-metrics/get-project-filters.ts";
import { listKeywordsMetrics } from "./search-metrics/list-keywords-metrics.ts";
import { listProjectCollects } from "./search-metrics/list-project-collects.ts";
import { listProjects } from "./search-metrics/list-projects.ts";
import { listTopBrands } from "./search-metrics/list-top-brands.ts";
import { listSources } from "./sources/list-sources.ts";
import { deleteSsoConfiguration } from "./sso/delete-sso-configuration.ts";
import { exchangeSsoCode } from "./sso/exchange-sso-code.ts";
import { getSsoConfiguration } from "./sso/get-sso-configuration.ts";
import { putSsoConfiguration } from "./sso/put-sso-configuration.ts";
import { readSamlMetadata } from "./sso/read-saml-metadata.ts";
import { createOrganizationTag } from "./tags/create-organization-tag.ts";
import { createTag } from "./tags/create-tag.ts";
import { deleteOrganizationTag } from "./tags/delete-organization-tag.ts";
import { deleteTag } from "./tags/delete-tag.ts";
import { getOrganizationTag } from "./tags/get-organization-tag.ts";
import { getTag } from "./tags/get-tag.ts";
import { listOrganizationTags } from "./tags/list-organization-tags.ts";
import { listTags } from "./tags/list-tags.ts";
import { replaceAnalysisTags } from "./tags/replace-analysis-tags.ts";
import { replaceAssetTags } from "./tags/replace-asset-tags.ts";
import { updateOrganizationTag } from "./tags/update-organization-tag.ts";
import { updateTag } from "./tags/update-tag.ts";
import { archiveWorkspace } from "./workspaces/archive-workspace.ts";
import { createWorkspace } from "./workspaces/create-workspace.ts";
import { getWorkspace } from "./workspaces/get-workspace.ts";
import { listOrganizationWorkspaces } from "./workspaces/list-organization-workspaces.ts";
import { listWorkspaceUsage } from "./workspaces/list-workspace-usage.ts";
import { listWorkspaces } from "./workspaces/list-workspaces.ts";
import { restoreWorkspace } from "./workspaces/restore-workspace.ts";
import { updateWorkspace } from "./workspaces/update-workspace.ts";

/** Everything that the product can do. Routes, tools and the reference are made from this list, in this order. */
export const endpoints: readonly AnyEndpoint[] = [
  listApiKeys,
  createApiKey,
  getApiKey,
  deleteApiKey,
  rotateApiKey,
  getMe,
  updateMe,
  refreshToken,
  revokeToken,
  exchangeApiKey,
  listAssistants,
  disconnectAssistant,
  listSessions,
  endSession,
  signOutEverywhere,
  exchangeSsoCode,
  listOrganizationDomains,
  addOrganizationDomain,
  deleteOrganizationDomain,
  listOrganizationDomainAccounts,
  verifyOrganizationDomain,
  listScimGroups,
  updateScimGroup,
  listScimTokens,
  createScimToken,
  deleteScimToken,
  getSsoConfiguration,
  putSsoConfiguration,
  deleteSsoConfiguration,
  readSamlMetadata,
  listOrganizations,
  getOrganization,
  updateOrganization,
  getCredits,
  listCreditLedger,
  listSources,
  listFavourites,
  addFavourite,
  removeFavourite,
  listAuditLog,
  listInvitations,
  createInvitation,
  revokeInvitation,
  listMembers,
  getMember,
  setMember,
  removeMember,
  resetSecondFactor,
  listWorkspaceMembers,
  getWorkspaceMember,
  setWorkspaceMember,
  removeWorkspaceMember,
  listOrganizationWorkspaces,
  createWorkspace,
  listWorkspaceUsage,
  getWorkspace,
  updateWorkspace,
  archiveWorkspace,
  restoreWorkspace,
  listWorkspaces,
  listBrandSuggestions,
  acceptBrandSuggestion,
  dismissBrandSuggestion,
  mergeBrandSuggestion,
  undoBrandSuggestion,
  listBrands,
  createBrand,
  bulkCreateBrands,
  getBrand,
  updateBrand,
  deleteBrand,
  listBrandFacts,
  createBrandFact,
  updateBrandFact,
  deleteBrandFact,
  restoreBrand,
  getCatalogReading,
  listPersonas,
  createPersona,
  getPersona,
  updatePersona,
  deletePersona,
  listOrganizationTags,
  createOrganizationTag,
  getOrganizationTag,
  updateOrganizationTag,
  deleteOrganizationTag,
  replaceAnalysisTags,
  replaceAssetTags,
  listTags,
  createTag,
  getTag,
  updateTag,
  deleteTag,
  listAnalyses,
  getAnalysis,
  updateAnalysis,
  listAnswers,
  importAnswers,
  getAnswer,
  archiveAnalysis,
  listCollects,
  runCollect,
  priceCollect,
  getCollect,
  getImportReport,
  duplicateAnalysis,
  listKeywords,
  pauseAnalysis,
  listPrompts,
  resumeAnalysis,
  changeSetup,
  priceSetup,
  createBrandAnalysis,
  priceBrandAnalysis,
  listExports,
  createExport,
  getExport,
  deleteExport,
  createGeoAudit,
  priceGeoAudit,
  createSearchAnalysis,
  priceSearchAnalysis,
  listAuditChecks,
  getAudit,
  listAuditPages,
  getAuditPage,
  updateAuditPage,
  getCalibration,
  explainMetrics,
  getAttributes,
  getBrandAwareness,
  getBrandPerception,
  listCitations,
  listClaims,
  getComparisons,
  getMethodGaps,
  listQueries,
  getVisibility,
  listKeywordsMetrics,
  listProjects,
  listProjectCollects,
  getProjectFilters,
  listTopBrands,
  listAssets,
  createAsset,
  getAsset,
  archiveAsset,
  listAssetEvaluations,
  createAssetEvaluation,
  priceAssetEvaluation,
  getAssetEvaluation,
  updateAssetEvaluation,
  archiveAssetEvaluation,
  rerunAssetEvaluation,
  listAssetEvaluationScores,
  listRecommendedActions,
  bulkDismissRecommendedActions,
  getRecommendedAction,
  updateRecommendedAction,
  dismissRecommendedAction,
  reconsiderRecommendedAction,
  listRecommendedActionTasks,
  getRecommendedActionTask,
  getRecommendedActionBrief,
  updateRecommendedActionBrief,
  sendRecommendedActionBriefToPartner,
  listContentBriefs,
  createContentBrief,
  getContentBrief,
  updateContentBrief,
  deleteContentBrief,
  listPlatformAccounts,
  updatePlatformAccount,
  listPlatformIntegrations,
  connectPartner,
  disconnectPartner,
  updatePlatformIntegration,
  deletePlatformIntegration,
  refreshPlatformIntegration,
];
