import { pathToFileURL } from 'node:url'

/** True in the script that node was asked to run, false where it is imported. */
export const isMain = (/** @type {string} */ url) =>
  url === pathToFileURL(process.argv[1] ?? '').href
