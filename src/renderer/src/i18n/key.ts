import type { InjectionKey } from 'vue'
import type { AppI18n } from './index.ts'

/** Where the app's i18n is provided, for switching the language. */
export const i18nKey: InjectionKey<AppI18n> = Symbol('i18n')
