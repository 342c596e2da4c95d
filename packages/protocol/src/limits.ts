/** A namespace, so that a bundle has only the constants it uses. Do not destructure it: that includes all. */
export * as limits from './limit-values'
