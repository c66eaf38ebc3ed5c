// Attributes of HTML that Vue's types do not contain; vue-tsc refuses other unknown attributes and props.
import type { HTMLAttributes as Attributes } from 'vue'

declare module 'vue' {
  interface HTMLAttributes {
    popover?: boolean | 'auto' | 'manual'
  }
  interface ButtonHTMLAttributes {
    popovertarget?: Attributes['id']
  }
}
