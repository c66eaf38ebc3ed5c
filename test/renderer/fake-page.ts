import { createFakeTransport, type Scenario } from './fake-transport.ts'

declare global {
  interface Window {
    /** Set by the test before this program runs. */
    fakeScenario?: Scenario
  }
}

// Replaces the preload: the page finds its transport here before its entry script runs.
Object.defineProperty(window, 'lectern', { value: createFakeTransport(window.fakeScenario ?? {}) })
