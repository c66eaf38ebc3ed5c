import { app, crashReporter, Menu, protocol } from 'electron'
import { appScheme } from '../security/origins.ts'
import { crashReports, engineSwitches, schemePrivileges } from '../security/window-options.ts'

/** What the engine must be told before it is ready. */
export function setupEngine(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { ...schemePrivileges } }])
  app.enableSandbox()
  crashReporter.start({ ...crashReports })
  for (const [name, value] of engineSwitches) app.commandLine.appendSwitch(name, value)
  // No default menu is built only to be replaced.
  Menu.setApplicationMenu(null)
}
