import { compile } from 'svelte/compiler'

/** Compiles the components of the test of the Svelte entry. */
export const sveltePlugin = {
  name: 'svelte',
  transform: (code: string, id: string) => (id.endsWith('.svelte') ? compile(code, { filename: id }).js : undefined),
}
