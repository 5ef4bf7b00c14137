import type { GROUPS } from "../../tools/endpoint.ts";
import type { AccessClass } from "../matrix/classes.ts";
import * as seed from "../whole/seeds.ts";
import type { Chain } from "../whole/seeds.ts";

type Body = Record<string, unknown> | string;

/** Decisions about an endpoint. */
export interface Line {
  /** Allowed callers: a class of test/matrix/classes.ts. */
  who: AccessClass;
  /** "tool", or the reason why it is none. */
  agents: "tool" | NotATool;
  /** Requires a recent sign-in: always, except for a key on itself, or with these body fields. */
  recentSignIn?: true | "but of itself" | Record<string, unknown>;
  /** Body of a successful, repeatable call; omitted if an empty one works. */
  body?: Body | ((at: seed.Place) => Body | Promise<Body>);
  /** Creates the target of an endpoint that ends or deletes things other tests need. */
  target?: (at: seed.Place) => Promise<Chain>;
  /**
   * Endpoint that adds a row to this list if no POST at its address can do so repeatedly; null if
   * none can.
   */
  addedBy?: string | null;
}

const SIGN_IN = "sign-in";
const ADMINISTRATION = "account administration";
const NOT_MARKED = "write endpoint not marked for agents";
const BULK_DATA = "bulk data";
type NotATool = typeof SIGN_IN | typeof ADMINISTRATION | typeof NOT_MARKED | typeof BULK_DATA;

/**
 * A line for each endpoint, written by hand from interface.md section 1 and service.md section 2,
 * so that access of a new endpoint is a deliberate decision.
 */
export const ACCESS_TABLE: Record<(typeof GROUPS)[number], Record<string, Line>> = {
  Auth: {
    exchangeApiKey: { who: "open", agents: SIGN_IN },
    refreshToken: { who: "open", agents: SIGN_IN },
    revokeToken: { who: "open", agents: SIGN_IN },
    getMe: { who: "person", agents: "tool" },
    updateMe: { who: "mine", agents: ADMINISTRATION, body: () => ({ name: seed.unique("Name") }) },
    listSessions: { who: "mine", agents: ADMINISTRATION, addedBy: null },
    endSession: { who: "key", agents: ADMINISTRATION },
    listAssistants: { who: "mine", agents: ADMINISTRATION, addedBy: null },
    disconnectAssistant: { who: "key", agents: ADMINISTRATION },
    signOutEverywhere: { who: "mine", agents: ADMINISTRATION },
    listApiKeys: { who: "mine", agents: ADMINISTRATION },
    getApiKey: { who: "key", agents: ADMINISTRATION },
    createApiKey: {
      who: "mine",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: () => ({ name: seed.unique("Key") }),
    },
    rotateApiKey: { who: "key", agents: ADMINISTRATION, recentSignIn: "but of itself", target: seed.newApiKey },
    deleteApiKey: { who: "key", agents: ADMINISTRATION, recentSignIn: "but of itself", target: seed.newApiKey },
  },
  SSO: {
    exchangeSsoCode: { who: "open", agents: SIGN_IN },
    getSsoConfiguration: { who: "own", agents: ADMINISTRATION },
    putSsoConfiguration: { who: "own", agents: ADMINISTRATION, recentSignIn: true, body: seed.ssoConfiguration },
    readSamlMetadata: { who: "own", agents: ADMINISTRATION, body: seed.readSamlMetadata },
    deleteSsoConfiguration: { who: "own", agents: ADMINISTRATION, recentSignIn: true },
    listOrganizationDomains: { who: "own", agents: ADMINISTRATION },
    addOrganizationDomain: { who: "own", agents: ADMINISTRATION, recentSignIn: true, body: seed.domain },
    verifyOrganizationDomain: { who: "own", agents: ADMINISTRATION, recentSignIn: true, target: seed.publishedDomain },
    listOrganizationDomainAccounts: {
      who: "own",
      agents: ADMINISTRATION,
      target: seed.provenDomain,
      addedBy: null,
    },
    deleteOrganizationDomain: { who: "own", agents: ADMINISTRATION, recentSignIn: true },
    listScimTokens: { who: "own", agents: ADMINISTRATION },
    createScimToken: {
      who: "own",
      agents: ADMINISTRATION,
      recentSignIn: true,
      body: () => ({ name: seed.unique("Provisioning") }),
    },
    deleteScimToken: { who: "own", agents: ADMINISTRATION, recentSignIn: true },
    listScimGroups: { who: "own", agents: ADMINISTRATION, addedBy: null },
    updateScimGroup: { who: "own", agents: ADMINISTRATION, recentSignIn: true, body: { organization_role: "viewer" } },
  },
  Organizations: {
    listOrganizations: { who: "person", agents: "tool", addedBy: null },
    getOrganization: { who: "read", agents: "tool" },
    updateOrganization: { who: "own", agents: NOT_MARKED, recentSignIn: { owners_need_second_factor: false } },
    getCredits: { who: "read", agents: "tool" },
    listSources: { who: "own", agents: "tool" },
    listCreditLedger: { who: "read", agents: "tool", addedBy: "createSearchAnalysis" },
  },
  Members: {
    listMembers: { who: "own", agents: ADMINISTRATION, addedBy: null },
    getMember: { who: "own", agents: ADMINISTRATION },
    setMember: {
      who: "own",
      agents: ADMINISTRATION,
      recentSignIn: { role: "owner" },
      body: { role: "viewer" },
      target: seed.spareMember,
    },
    removeMember: { who: "expel", agents: ADMINISTRATION, target: seed.spareMember },
    resetSecondFactor: { who: "own", agents: ADMINISTRATION, recentSignIn: true, target: seed.spareMember },
    listInvitations: { who: "own", agents: ADMINISTRATION },
    createInvitation: { who: "own", agents: ADMINISTRATION, recentSignIn: { role: "owner" }, body: seed.invitation },
    revokeInvitation: { who: "own", agents: ADMINISTRATION, target: seed.newInvitation },
    listWorkspaceMembers: { who: "wadmin", agents: ADMINISTRATION, addedBy: null },
    getWorkspaceMember: { who: "wadmin", agents: ADMINISTRATION },
    setWorkspaceMember: { who: "wedit", agents: ADMINISTRATION, body: { role: "viewer" }, target: seed.spareMember },
    removeWorkspaceMember: { who: "wexpel", agents: ADMINISTRATION, target: seed.memberOfWorkspace },
    listFavourites: { who: "mine", agents: ADMINISTRATION, addedBy: null },
    addFavourite: { who: "mark", agents: ADMINISTRATION, target: seed.anyAnalysis },
    removeFavourite: { who: "mark", agents: ADMINISTRATION, target: seed.markedAnalysis },
    listAuditLog: { who: "own", agents: ADMINISTRATION, addedBy: "createTag" },
  },
  Workspaces: {
    listWorkspaces: { who: "person", agents: "tool", addedBy: "createWorkspace" },
    listOrganizationWorkspaces: { who: "lists", agents: "tool", addedBy: "createWorkspace" },
    listWorkspaceUsage: { who: "lists", agents: "tool", addedBy: "createWorkspace" },
    getWorkspace: { who: "wread", agents: "tool" },
    createWorkspace: { who: "edit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Workspace") }) },
    updateWorkspace: { who: "wedit", agents: NOT_MARKED },
    archiveWorkspace: { who: "edit", agents: NOT_MARKED, target: seed.newWorkspace },
    restoreWorkspace: { who: "edit", agents: NOT_MARKED, target: seed.newWorkspace },
  },
  "Brand Catalog": {
    listBrands: { who: "wread", agents: "tool" },
    getBrand: { who: "wread", agents: "tool" },
    createBrand: { who: "wedit", agents: NOT_MARKED, body: seed.brand },
    bulkCreateBrands: { who: "wedit", agents: NOT_MARKED, body: () => ({ brands: [seed.brand(), seed.brand()] }) },
    updateBrand: { who: "wedit", agents: NOT_MARKED },
    deleteBrand: { who: "wedit", agents: NOT_MARKED, target: seed.newBrand },
    restoreBrand: { who: "wedit", agents: NOT_MARKED },
    listBrandFacts: { who: "wread", agents: "tool" },
    createBrandFact: { who: "wedit", agents: NOT_MARKED, body: seed.brandFact },
    updateBrandFact: { who: "wedit", agents: NOT_MARKED, target: seed.newBrandFact },
    deleteBrandFact: { who: "wedit", agents: NOT_MARKED, target: seed.newBrandFact },
    getCatalogReading: { who: "wread", agents: "tool" },
    listBrandSuggestions: { who: "wread", agents: "tool", addedBy: null },
    acceptBrandSuggestion: { who: "wedit", agents: NOT_MARKED, target: seed.openSuggestion },
    mergeBrandSuggestion: { who: "wedit", agents: NOT_MARKED, body: seed.anyBrand, target: seed.openSuggestion },
    dismissBrandSuggestion: { who: "wedit", agents: NOT_MARKED, target: seed.openSuggestion },
    undoBrandSuggestion: { who: "wedit", agents: NOT_MARKED, target: seed.dismissedSuggestion },
  },
  Personas: {
    listPersonas: { who: "wread", agents: "tool" },
    getPersona: { who: "wread", agents: "tool" },
    createPersona: { who: "wedit", agents: "tool", body: seed.persona },
    updatePersona: { who: "wedit", agents: NOT_MARKED },
    deletePersona: { who: "wedit", agents: NOT_MARKED },
  },
  Tags: {
    listTags: { who: "wread", agents: "tool" },
    getTag: { who: "wread", agents: "tool" },
    createTag: { who: "wedit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Tag"), color: "#00AAFF" }) },
    updateTag: { who: "wedit", agents: NOT_MARKED },
    deleteTag: { who: "wedit", agents: NOT_MARKED },
    listOrganizationTags: { who: "read", agents: "tool" },
    getOrganizationTag: { who: "read", agents: "tool" },
    createOrganizationTag: { who: "edit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Organization tag") }) },
    updateOrganizationTag: { who: "edit", agents: NOT_MARKED },
    deleteOrganizationTag: { who: "edit", agents: NOT_MARKED },
    replaceAnalysisTags: { who: "wedit", agents: NOT_MARKED, body: { tag_ids: [] } },
    replaceAssetTags: { who: "wedit", agents: NOT_MARKED, body: { tag_ids: [] } },
  },
  Analyses: {
    priceBrandAnalysis: { who: "wedit", agents: "tool", body: seed.brandAnalysis },
    createBrandAnalysis: { who: "wedit", agents: "tool", body: seed.confirmedBrandAnalysis },
    priceGeoAudit: { who: "wedit", agents: "tool", body: seed.geoAudit },
    createGeoAudit: { who: "wedit", agents: "tool", body: seed.confirmedGeoAudit },
    listPrompts: { who: "wread", agents: "tool", addedBy: null, target: seed.newBrandAnalysis },
    priceSearchAnalysis: { who: "wedit", agents: "tool", body: seed.searchAnalysis },
    createSearchAnalysis: { who: "wedit", agents: "tool", body: seed.confirmedAnalysis },
    listAnalyses: { who: "wread", agents: "tool", addedBy: "createSearchAnalysis" },
    getAnalysis: { who: "wread", agents: "tool" },
    updateAnalysis: { who: "wedit", agents: NOT_MARKED, body: () => ({ name: seed.unique("Analysis") }) },
    duplicateAnalysis: { who: "wedit", agents: NOT_MARKED },
    priceSetup: { who: "wedit", agents: NOT_MARKED, target: seed.newAnalysis, body: seed.changedSetup },
    changeSetup: { who: "wedit", agents: NOT_MARKED, target: seed.newAnalysis, body: seed.confirmedSetup },
    pauseAnalysis: { who: "wedit", agents: NOT_MARKED, target: seed.newAnalysis },
    resumeAnalysis: { who: "wedit", agents: NOT_MARKED, target: seed.pausedAnalysis },
    archiveAnalysis: { who: "wedit", agents: NOT_MARKED, target: seed.newAnalysis },
    priceCollect: { who: "wedit", agents: NOT_MARKED, target: seed.idleAnalysis },
    runCollect: { who: "wedit", agents: NOT_MARKED, target: seed.idleAnalysis, body: seed.confirmedCollect },
    listCollects: { who: "wread", agents: "tool", addedBy: "importAnswers" },
    getCollect: { who: "wread", agents: "tool" },
    listKeywords: { who: "wread", agents: "tool", addedBy: "importAnswers" },
    listAnswers: { who: "wread", agents: "tool", addedBy: "importAnswers" },
    getAnswer: { who: "wread", agents: "tool" },
    importAnswers: { who: "wedit", agents: BULK_DATA, body: seed.answerLines },
    listExports: { who: "wread", agents: "tool" },
    getExport: { who: "wread", agents: "tool" },
    createExport: { who: "wread", agents: BULK_DATA, body: { what: "catalog", format: "csv" } },
    deleteExport: { who: "wread", agents: BULK_DATA, target: seed.newExport },
    getImportReport: { who: "wread", agents: "tool" },
  },
  "GEO Audits": {
    getAudit: { who: "wread", agents: "tool" },
    listAuditPages: { who: "wread", agents: "tool", addedBy: null },
    getAuditPage: { who: "wread", agents: "tool" },
    updateAuditPage: { who: "wedit", agents: NOT_MARKED, body: { page_type: "article" } },
    listAuditChecks: { who: "person", agents: "tool" },
  },
  Metrics: {
    getVisibility: { who: "wread", agents: "tool", addedBy: null },
    getBrandAwareness: { who: "wread", agents: "tool", addedBy: null },
    getBrandPerception: { who: "wread", agents: "tool", addedBy: null },
    getAttributes: { who: "wread", agents: "tool", addedBy: null },
    getComparisons: { who: "wread", agents: "tool", addedBy: null },
    getMethodGaps: { who: "wread", agents: "tool", addedBy: null },
    listClaims: { who: "wread", agents: "tool", addedBy: null },
    listCitations: { who: "wread", agents: "tool", addedBy: null },
    listQueries: { who: "wread", agents: "tool", addedBy: null },
    explainMetrics: { who: "person", agents: "tool" },
    getCalibration: { who: "person", agents: "tool" },
  },
  "Search Metrics": {
    listProjects: { who: "lists", agents: "tool", addedBy: "createSearchAnalysis" },
    listProjectCollects: { who: "wread", agents: "tool", addedBy: "importAnswers" },
    getProjectFilters: { who: "wread", agents: "tool" },
    listTopBrands: { who: "wread", agents: "tool" },
    listKeywordsMetrics: { who: "wread", agents: "tool" },
  },
  Assets: {
    listAssets: { who: "wread", agents: "tool" },
    getAsset: { who: "wread", agents: "tool" },
    createAsset: { who: "wedit", agents: NOT_MARKED, body: seed.textAsset },
    archiveAsset: { who: "wedit", agents: NOT_MARKED },
  },
  "Asset Evaluations": {
    priceAssetEvaluation: { who: "wedit", agents: "tool", body: seed.assetEvaluation },
    createAssetEvaluation: { who: "wedit", agents: "tool", body: seed.confirmedEvaluation },
    listAssetEvaluations: { who: "wread", agents: "tool" },
    getAssetEvaluation: { who: "wread", agents: "tool" },
    listAssetEvaluationScores: { who: "wread", agents: "tool", addedBy: null },
    updateAssetEvaluation: { who: "wedit", agents: "tool", body: () => ({ name: seed.unique("Evaluation") }) },
    rerunAssetEvaluation: { who: "wedit", agents: "tool", body: seed.confirmedRerun },
    archiveAssetEvaluation: { who: "wedit", agents: "tool", target: seed.newEvaluation },
  },
  "Recommended Actions": {
    listRecommendedActions: { who: "wread", agents: "tool", addedBy: null },
    getRecommendedAction: { who: "wread", agents: "tool" },
    updateRecommendedAction: {
      who: "wedit",
      agents: NOT_MARKED,
      body: { workflow_status: "confirmed" },
      target: seed.newAction,
    },
    dismissRecommendedAction: {
      who: "wedit",
      agents: NOT_MARKED,
      body: { reason: "not_relevant" },
      target: seed.newAction,
    },
    reconsiderRecommendedAction: { who: "wedit", agents: NOT_MARKED, target: seed.dismissedAction },
    bulkDismissRecommendedActions: { who: "wedit", agents: NOT_MARKED, body: seed.bulkDismissal },
    listRecommendedActionTasks: { who: "wread", agents: "tool" },
    getRecommendedActionTask: { who: "wread", agents: "tool" },
  },
  "Recommended Action Brief": {
    getRecommendedActionBrief: { who: "wread", agents: "tool" },
    sendRecommendedActionBriefToPartner: {
      who: "wedit",
      agents: NOT_MARKED,
      body: { due_date: "2036-01-31T12:00:00.000Z" },
    },
    updateRecommendedActionBrief: { who: "wedit", agents: NOT_MARKED },
  },
  "Content Briefs": {
    listContentBriefs: { who: "wread", agents: "tool" },
    getContentBrief: { who: "wread", agents: "tool" },
    createContentBrief: { who: "wedit", agents: NOT_MARKED, body: seed.contentBrief },
    updateContentBrief: { who: "wedit", agents: NOT_MARKED },
    deleteContentBrief: { who: "wedit", agents: NOT_MARKED },
  },
  "Platform Integrations": {
    listPlatformIntegrations: { who: "wadmin", agents: ADMINISTRATION, addedBy: null },
    connectPartner: { who: "wedit", agents: ADMINISTRATION, body: seed.partnerConnection },
    disconnectPartner: { who: "wedit", agents: ADMINISTRATION },
    updatePlatformIntegration: { who: "wedit", agents: ADMINISTRATION, body: { status: "active" } },
    refreshPlatformIntegration: { who: "wedit", agents: ADMINISTRATION },
    deletePlatformIntegration: { who: "wedit", agents: ADMINISTRATION },
    listPlatformAccounts: { who: "wadmin", agents: ADMINISTRATION, addedBy: null },
    updatePlatformAccount: { who: "wedit", agents: ADMINISTRATION, body: { status: "active" } },
  },
};

const LINES: Readonly<Record<string, Line>> = Object.assign({}, ...Object.values(ACCESS_TABLE)) as Record<string, Line>;

export function lineOf(name: string): Line | undefined {
  return LINES[name];
}
