import { protocol } from 'electron'
import type { App } from '../../host.ts'
import { appScheme } from '../../platform/security/origins.ts'
import { answerScheme } from '../../platform/security/scheme.ts'

/** Serves `app://` from the app's own handler. */
export function setupProtocol(lectern: App): void {
  protocol.handle(appScheme, (request) => answerScheme(request, (inner) => lectern.fetch(inner)))
}
