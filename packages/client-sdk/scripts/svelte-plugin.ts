import { compile } from 'svelte/compiler'

/** Compiles the components of the Svelte entry's test. */
export const sveltePlugin = {
  name: 'svelte',
  transform: (code: string, id: string) => (id.endsWith('.svelte') ? compile(code, { filename: id }).js : undefined),
}
