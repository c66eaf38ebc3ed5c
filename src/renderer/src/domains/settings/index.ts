// What other domains use of this one.

export { isAccountFailure, useAccounts } from './accounts/accounts-store.ts'
export { default as AccountField } from './accounts/components/AccountField.vue'
export { default as EngineChoice } from './accounts/components/EngineChoice.vue'
export { default as OnDeviceNote } from './accounts/components/OnDeviceNote.vue'
export { useAccountName } from './accounts/use-account-name.ts'
