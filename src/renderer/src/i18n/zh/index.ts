import { en } from '../en/index.ts'
export const zh = en
