import { signInThroughPages } from "../../test/main-job/main-job.ts";

// Replaces the browser that a program opens: signs in on the pages and follows the redirect to the
// program.

const address = new URL(process.argv.find((given) => given.startsWith("http")) ?? "");
const redirectUrl = address.searchParams.get("redirect_uri") ?? "";
const callback = await signInThroughPages(address, redirectUrl);
await fetch(`${redirectUrl}?${callback.toString()}`);
