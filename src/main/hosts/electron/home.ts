import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { linkScheme } from '../../../shared/links.ts'
import { dataFolder } from '../support/home.ts'
import { privateFolder } from '../../platform/security/private-files.ts'

/** Folders of Electron below the data folder. */
const folders = [
  ['sessionData', 'engine'],
  ['crashDumps', 'crashes'],
] as const

/** Sets the names of the app and its folders before anything reads them. Returns the data folder. */
export function claimHome(): string {
  const home = dataFolder({
    platform: process.platform,
    env: process.env,
    userHome: homedir(),
  })
  privateFolder(home)
  app.setName('Lectern')
  app.setAppUserModelId('app.lectern.desktop')
  // An unpackaged build would leave the system with links to a program that will soon be gone.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
  app.setPath('userData', home)
  // Electron's own files are separate from ours: deleting or copying one does not affect the other.
  for (const [name, folder] of folders) {
    // Electron rejects a missing folder.
    privateFolder(join(home, folder))
    app.setPath(name, join(home, folder))
  }
  return home
}
