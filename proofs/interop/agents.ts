import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { ToolAnswer } from "../../test/support/tool-client.ts";
import { openHome, type Home } from "./home.ts";
import { openScriptedModel } from "./scripted-model.ts";
import { run, scriptOf } from "./tools.ts";

// Complete assistants driven by a scripted model.

const LIMIT_MS = 120_000;

/** An assistant program, and its configuration of our server and the model. */
interface Agent {
  program: string;
  configure(home: Home, at: { url: string; model: string }): Promise<void>;
  signIn: readonly string[];
  /** A command whose output confirms that it is signed in and connected. */
  check: { given: readonly string[]; says: RegExp };
  work: readonly string[];
}

export const CODEX: Agent = {
  program: ".bin/codex",
  async configure({ dir }, { url, model }) {
    const lines = [
      'model = "scripted"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      // Required for accepting the server's form automatically; the script runs nothing on this
      // machine.
      'sandbox_mode = "danger-full-access"',
      'mcp_oauth_credentials_store = "file"',
      "[model_providers.scripted]",
      'name = "Scripted"',
      `base_url = ${JSON.stringify(model)}`,
      'wire_api = "responses"',
      "[mcp_servers.visibility]",
      `url = ${JSON.stringify(url)}`,
      // No person is present; tools that spend credits carry their own confirmation.
      'default_tools_approval_mode = "approve"',
    ];
    await mkdir(join(dir, ".codex"));
    await writeFile(join(dir, ".codex/config.toml"), `${lines.join("\n")}\n`);
  },
  signIn: ["mcp", "login", "visibility"],
  check: { given: ["mcp", "list"], says: /visibility.*OAuth/ },
  work: ["exec", "--skip-git-repo-check", "Do what the script says."],
};

export const OPENCODE: Agent = {
  program: ".bin/opencode",
  async configure({ dir }, { url, model }) {
    const config = {
      autoupdate: false,
      share: "disabled",
      permission: "allow",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: model, apiKey: "none" },
          models: { scripted: { name: "Scripted", tool_call: true } },
        },
      },
      mcp: { visibility: { type: "remote", url, enabled: true } },
    };
    await mkdir(join(dir, ".config/opencode"), { recursive: true });
    await writeFile(join(dir, ".config/opencode/opencode.json"), JSON.stringify(config));
  },
  signIn: ["mcp", "auth", "visibility"],
  check: { given: ["mcp", "list"], says: /visibility\s+connected/ },
  work: ["run", "--model", "scripted/scripted", "Do what the script says."],
};

/**
 * An assistant signed in by its own command, which calls the tools that its model is scripted to
 * call.
 */
export async function openAgent(agent: Agent, url: string) {
  const home = await openHome("agent");
  const model = await openScriptedModel();
  const start = (given: readonly string[]) =>
    run(scriptOf(agent.program), given, { env: home.env, cwd: home.dir, limitMs: LIMIT_MS });
  let working: ReturnType<typeof start> | undefined;
  const close = async () => {
    model.finish();
    await working;
    await model[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  };
  try {
    await agent.configure(home, { url, model: model.address });
    const signedIn = await start(agent.signIn);
    const { output } = await start(agent.check.given);
    if (!agent.check.says.test(stripVTControlCharacters(output))) {
      throw new Error(`It did not sign in:\n${tail(signedIn.output)}\n${tail(output)}`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  working = start(agent.work);
  const ended = working.then(({ code, output }): never => {
    throw new Error(`It ended with ${code} in the middle of its work:\n${tail(output)}`);
  });
  // After the work only `close` awaits the exit.
  ended.catch(() => undefined);
  return {
    call: (name: string, given: Record<string, unknown>): Promise<ToolAnswer> =>
      Promise.race([model.call(name, given), ended]),
    [Symbol.asyncDispose]: close,
  };
}

function tail(output: string): string {
  return stripVTControlCharacters(output).slice(-1500);
}
