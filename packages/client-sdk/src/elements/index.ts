import { defineElementsWith } from './define'

/** Once per page. Importing this module calls it. */
export function defineElements(window: Window & typeof globalThis): void {
  defineElementsWith(window, () => import('./extras'))
}

if (typeof window !== 'undefined') defineElements(window)

export type { PosternButtonElement, PosternErrorEvent } from './define'
