import parser from '@typescript-eslint/parser'
import vue from 'eslint-plugin-vue'

// Only what oxlint cannot see: the templates of .vue files. Layout belongs to oxfmt.
export default [
  ...vue.configs['flat/recommended-error'],
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/html-button-has-type': 'error',
      'vue/no-bare-strings-in-template': [
        'error',
        {
          allowlist: [
            '·',
            '…',
            '–',
            '—',
            '/',
            '×',
            '%',
            ':',
            '|',
            '→',
            '←',
            '(',
            ')',
            ',',
            '.',
            '+',
            '•',
            '#',
          ],
        },
      ],
      'vue/no-static-inline-styles': 'error',
      'vue/no-undef-components': ['error', { ignorePatterns: ['RouterLink', 'RouterView'] }],
      'vue/no-undef-directives': 'error',
      'vue/no-unused-components': 'error',
      'vue/no-unused-emit-declarations': 'error',
      'vue/no-unused-properties': 'error',
      'vue/no-unused-refs': 'error',
      'vue/no-useless-v-bind': 'error',
      'vue/no-v-html': 'error',
      'vue/prefer-use-template-ref': 'error',
      'vue/require-typed-ref': 'error',
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
      // Layout: oxfmt's.
      'vue/html-closing-bracket-newline': 'off',
      'vue/html-closing-bracket-spacing': 'off',
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/singleline-html-element-content-newline': 'off',
    },
  },
  {
    files: ['src/renderer/src/markdown/**/*.vue'],
    rules: { 'vue/no-v-html': 'off' },
  },
]
