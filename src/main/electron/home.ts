import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { dataFolder } from '../hosting/home.ts'
import { privateFolder } from '../security/private-files.ts'

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
  app.setPath('userData', home)
  // The engine's own files apart from ours: erasing or copying one does not touch the other.
  app.setPath('sessionData', join(home, 'engine'))
  app.setPath('crashDumps', join(home, 'crashes'))
  return home
}
