import { defineElements } from './define'

if (typeof window !== 'undefined') defineElements(window)

export { defineElements }
