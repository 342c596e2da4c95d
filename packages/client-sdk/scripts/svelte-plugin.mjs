import { compile } from 'svelte/compiler'

/** Compiles the components of the test of the Svelte entry. */
export const sveltePlugin = {
  name: 'svelte',
  /** @param {string} code @param {string} id */
  transform: (code, id) => (id.endsWith('.svelte') ? compile(code, { filename: id }).js : undefined),
}
