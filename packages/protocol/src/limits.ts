/**
 * `limits.name` for each constant of `limit-values.ts`. As a namespace rather than an object, so that a bundle holds those it uses and no others: the
 * modal's first file has few of them. Whoever takes several out of it (`const { shake } = limits`) makes it an object again, with all of them.
 */
export * as limits from './limit-values'
