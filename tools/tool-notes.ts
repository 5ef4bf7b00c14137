import type { AnalysisType } from "../core/analyses/analysis.ts";

/** Declarations for the notes of tool results; REST has no notes. */
export interface ToolNotes<Input, Context> {
  /**
   * Why a list without filters is empty, with the tool that helps or the path of a console page. A
   * function runs before the reasons of all lists: filters, and types and runs of an analysis.
   */
  whenEmpty?: string | ((input: Input, context: Context) => Promise<string | undefined>);
  /** Types of analysis that have rows, and that a tool can fill in; all by default. */
  analysisTypes?: readonly AnalysisType[];
  /** True if the result rests on the answers of all analyses of the workspace. */
  restsOnWorkspace?: true;
}
