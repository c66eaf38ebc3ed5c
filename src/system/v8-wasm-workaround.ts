import { setFlagsFromString } from 'node:v8'

/**
 * V8 flag against a crash: worker threads share the machine code of a WASM module, and V8 of Node 24 can
 * free the generic wrapper of an import while another thread still runs in it (`Runtime_TierUpWasmToJSWrapper`,
 * `NativeModule::FreeCode`). Without generic wrappers there is none to free.
 */
export const steadyThreadsFlag = '--no-wasm-generic-wrapper'

/** Prevents starting and ending threads from crashing the process. Called by a host before its first worker. */
export function setupSteadyThreads(): void {
  setFlagsFromString(steadyThreadsFlag)
}
