// Attributes of HTML that Vue's types do not contain; vue-tsc refuses other unknown attributes and props.
export {}

declare module 'vue' {
  interface HTMLAttributes {
    popover?: boolean | 'auto' | 'manual'
  }
  interface ButtonHTMLAttributes {
    popovertarget?: string
  }
}
