import { defineElements } from './define'

if (typeof window !== 'undefined') defineElements(window)

export type { PosternButtonElement, PosternErrorEvent } from './define'
export { defineElements }
