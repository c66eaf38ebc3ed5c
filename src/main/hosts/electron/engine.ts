import { app, crashReporter, Menu, protocol } from 'electron'
import { version } from '../support/version.ts'
import { appScheme } from '../../platform/security/origins.ts'
import {
  crashReports,
  enablesSandbox,
  engineSwitches,
  schemePrivileges,
} from '../../platform/security/window-options.ts'
import { setupSpelling } from './spelling.ts'

/** Configures Electron before it is ready. */
export function setupEngine(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { ...schemePrivileges } }])
  if (enablesSandbox(process.argv)) app.enableSandbox()
  setupSpelling()
  crashReporter.start({ ...crashReports })
  for (const [name, value] of engineSwitches) app.commandLine.appendSwitch(name, value)
  app.setAboutPanelOptions({
    applicationName: 'Lectern',
    applicationVersion: version,
    copyright: '© The Lectern developers',
  })
  // Avoids building a default menu that would be replaced.
  Menu.setApplicationMenu(null)
}
