import { defineElements } from './define'

if (typeof window !== 'undefined') defineElements(window)

export type { PosternButtonElement } from './define'
export { defineElements }
