import type { InjectionKey } from 'vue'
import type { AppI18n } from './index.ts'

/** Injection key of the app's i18n, for switching the language. */
export const i18nKey: InjectionKey<AppI18n> = Symbol('i18n')
