import "./inside.ts";
import "../../src/start.ts";

// The service with the plug-in, as one program to be compiled: what it takes in memory and time is then what an installation takes.
