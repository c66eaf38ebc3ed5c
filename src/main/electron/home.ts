import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { linkScheme } from '../../shared/links.ts'
import { dataFolder } from '../host-support/home.ts'
import { privateFolder } from '../security/private-files.ts'

/** Folders of the engine below the data folder. */
const folders = [
  ['sessionData', 'engine'],
  ['crashDumps', 'crashes'],
] as const

/** Names the app and its folders, before anything reads them. Returns the data folder. */
export function claimHome(): string {
  const home = dataFolder({
    platform: process.platform,
    env: process.env,
    userHome: homedir(),
  })
  privateFolder(home)
  app.setName('Lectern')
  app.setAppUserModelId('app.lectern.desktop')
  // A build out of its folder would leave the system with links to a program that is soon gone.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
  app.setPath('userData', home)
  // The engine's own files apart from ours: erasing or copying one does not touch the other.
  for (const [name, folder] of folders) {
    // Electron refuses a folder that is missing.
    privateFolder(join(home, folder))
    app.setPath(name, join(home, folder))
  }
  return home
}
