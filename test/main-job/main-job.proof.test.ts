import { testMainJob } from "./main-job-by-client.ts";
import { CLIENTS } from "../support/tool-client.ts";

const { "SDK 2, auto": _newest, ...others } = CLIENTS;
testMainJob(others);
