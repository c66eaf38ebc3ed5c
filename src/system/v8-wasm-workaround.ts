import { setFlagsFromString } from 'node:v8'

/**
 * V8's switch against an end without warning: worker threads share the machine code of a wasm module, and V8 of Node 24 can
 * free the generic wrapper of an import while another thread still runs in it (`Runtime_TierUpWasmToJSWrapper`,
 * `NativeModule::FreeCode`). Without generic wrappers there is none to free.
 */
export const steadyThreadsFlag = '--no-wasm-generic-wrapper'

/** Keeps threads that begin and end from taking the whole process with them. Called by a host before its first worker. */
export function setupSteadyThreads(): void {
  setFlagsFromString(steadyThreadsFlag)
}
