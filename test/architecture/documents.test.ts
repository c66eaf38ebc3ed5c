import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pages = ['README.md', 'README.zh-CN.md', ...globSync('docs/**/*.md')]
const sources = globSync('{src,test,bench,scripts}/**/*.{ts,mjs,vue}')

/** Returns GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    anchorOf(heading),
  )

test('links to an existing file, image or heading in every document', () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/```[^]*?```|`[^`\n]*`/gu, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/gu)]
    return links
      .map(([, link, image]) => link ?? image ?? '')
      .filter((link) => !/^(https?:|\.\.\/\.\.\/releases)/u.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        if (!existsSync(file)) return true
        return anchor !== undefined && !anchorsOf(file).includes(anchor)
      })
      .map((link) => `${page}: ${link}`)
  })
  expect(broken).toEqual([])
})

test('cites only existing sections of docs/service-notes.md', () => {
  const sections = new Set(
    [...readFileSync('docs/service-notes.md', 'utf8').matchAll(/^##+ ([\d.]+?)\.? /gmu)].map(
      ([, number = '']) => number,
    ),
  )
  const cited = /service-notes (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/gu
  const wrong = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(cited)]
      .flatMap(([, list = '']) => list.split(/, | and | to /u))
      .filter((number) => !sections.has(number))
      .map((number) => `${file}: ${number}`),
  )
  expect(wrong).toEqual([])
})
