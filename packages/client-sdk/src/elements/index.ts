/** Importing this entry in a browser defines the elements; on a server it does nothing. */
import { defineElements } from './define'

if (typeof window !== 'undefined') defineElements(window)

export { defineElements }
