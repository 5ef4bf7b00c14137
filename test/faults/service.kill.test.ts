import { freePort, startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";
import { faultFolder } from "./scene.ts";

longFault(
  {
    fault: "One of several processes is suspended, or its event loop is blocked",
    seen: "Its clients wait until their own timeout (`TimeoutError`). The other processes answer `/readyz 200` and accept writes (`POST 201`)",
    lost: "Nothing",
    recovers: "Automatically, when the process resumes",
  },
  async (see) => {
    await using folder = await faultFolder();
    await using _other = await startServiceProcess({ ...folder.env, SERVE: "core" });
    const port = String(await freePort());
    await using still = await startServiceProcess({ ...folder.env, PORT: port, SERVE: "core,worker" });
    still.signal("SIGSTOP");
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(new DOMException("late", "TimeoutError")), 3000);
    await fetch(`${still.address}/readyz`, { signal: limit.signal }).catch((error: Error) => see(error.name));
    clearTimeout(late);
    see(`/readyz ${(await folder.call("GET", "/readyz")).status}`);
    see(`POST ${(await folder.call("POST", `${folder.workspace.path}/tags`, { name: "meanwhile" })).status}`);
    still.signal("SIGCONT");
    const ready = await fetch(`${still.address}/readyz`);
    if (ready.status !== 200) throw new Error(`It does not go on: ${ready.status}.`);
  },
);
