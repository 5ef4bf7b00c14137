/**
 * Who may call what, decided here by hand from interface.md section 1 and service.md section 2, and not read from the
 * endpoints: the class of every endpoint of the table. An endpoint that stands in no line fails test/matrix.
 */
export const CLASSES = {
  /** Anybody, also without signing in: what gives or ends tokens. */
  open: ["exchangeApiKey", "refreshToken", "revokeToken", "exchangeSsoCode"],
  /** Who is signed in; it tells of nothing but what they may see. */
  person: ["getMe", "listOrganizations", "listWorkspaces"],
  /** Persons, and user keys of theirs: what is their own. */
  mine: [
    "listApiKeys",
    "createApiKey",
    "listFavourites",
    "updateMe",
    "listSessions",
    "listAssistants",
    "signOutEverywhere",
  ],
  /** One key, browser or assistant, here the owner's own: that person alone. */
  key: ["getApiKey", "rotateApiKey", "deleteApiKey", "endSession", "disconnectAssistant"],
  /** Persons, and user keys of theirs, who see the workspace: it is marked as a favourite. */
  mark: ["addFavourite", "removeFavourite"],
  /** Everybody in the organization, guests too; it lists what they see of it. */
  lists: ["listOrganizationWorkspaces", "listWorkspaceUsage", "listProjects"],
  /** Viewers of the organization. */
  read: ["getOrganization", "getCredits", "listCreditLedger", "listOrganizationTags", "getOrganizationTag"],
  /** Editors of the organization. */
  edit: [
    "createWorkspace",
    "archiveWorkspace",
    "restoreWorkspace",
    "createOrganizationTag",
    "updateOrganizationTag",
    "deleteOrganizationTag",
  ],
  /** Owners of the organization: its administration. */
  own: [
    "updateOrganization",
    "getSsoConfiguration",
    "putSsoConfiguration",
    "deleteSsoConfiguration",
    "readSamlMetadata",
    "listAuditLog",
    "listScimGroups",
    "updateScimGroup",
    "listMembers",
    "getMember",
    "setMember",
    "listInvitations",
    "createInvitation",
    "revokeInvitation",
    "listOrganizationDomains",
    "addOrganizationDomain",
    "verifyOrganizationDomain",
    "deleteOrganizationDomain",
    "listScimTokens",
    "createScimToken",
    "deleteScimToken",
  ],
  /** Owners, for somebody else; everybody for themselves. Here it is somebody else. */
  expel: ["removeMember"],
  /** Viewers of the workspace. */
  wread: [
    "getWorkspace",
    "listBrands",
    "getBrand",
    "getCatalogReading",
    "listBrandSuggestions",
    "listPersonas",
    "getPersona",
    "listTags",
    "getTag",
    "listAnalyses",
    "getAnalysis",
    "listCollects",
    "getCollect",
    "listKeywords",
    "listAnswers",
    "getAnswer",
    "listCitations",
    "listAssets",
    "getAsset",
    "listAssetEvaluations",
    "getAssetEvaluation",
    "listAssetEvaluationScores",
    "listRecommendedActions",
    "getRecommendedAction",
    "listRecommendedActionTasks",
    "getRecommendedActionTask",
    "getRecommendedActionBrief",
    "listContentBriefs",
    "getContentBrief",
    "listProjectCollects",
    "getProjectFilters",
    "listTopBrands",
    "listKeywordsMetrics",
  ],
  /** Editors of the workspace, which editors of its organization are too. */
  wedit: [
    "updateWorkspace",
    "createBrand",
    "updateBrand",
    "deleteBrand",
    "acceptBrandSuggestion",
    "mergeBrandSuggestion",
    "dismissBrandSuggestion",
    "undoBrandSuggestion",
    "createPersona",
    "updatePersona",
    "deletePersona",
    "createTag",
    "updateTag",
    "deleteTag",
    "replaceAnalysisTags",
    "replaceAssetTags",
    "priceSearchAnalysis",
    "createSearchAnalysis",
    "importAnswers",
    "createAsset",
    "archiveAsset",
    "priceAssetEvaluation",
    "createAssetEvaluation",
    "updateAssetEvaluation",
    "rerunAssetEvaluation",
    "archiveAssetEvaluation",
    "updateRecommendedAction",
    "dismissRecommendedAction",
    "reconsiderRecommendedAction",
    "bulkDismissRecommendedActions",
    "updateRecommendedActionBrief",
    "sendRecommendedActionBriefToPartner",
    "createContentBrief",
    "updateContentBrief",
    "deleteContentBrief",
    "connectPartner",
    "disconnectPartner",
    "updatePlatformIntegration",
    "refreshPlatformIntegration",
    "deletePlatformIntegration",
    "updatePlatformAccount",
    "setWorkspaceMember",
  ],
  /** Reading what editors of the workspace administer: its members and integrations. */
  wadmin: ["listPlatformIntegrations", "listPlatformAccounts", "listWorkspaceMembers", "getWorkspaceMember"],
  /** Editors of the workspace, for somebody else; everybody for themselves. Here it is somebody else. */
  wexpel: ["removeWorkspaceMember"],
} satisfies Record<string, string[]>;

export type AccessClass = keyof typeof CLASSES;

/** The class of an endpoint; undefined where none was decided. */
export function classOf(name: string): AccessClass | undefined {
  const found = Object.entries(CLASSES).find(([, names]: [string, string[]]) => names.includes(name));
  // The keys of CLASSES are the classes.
  return found?.[0] as AccessClass | undefined;
}
