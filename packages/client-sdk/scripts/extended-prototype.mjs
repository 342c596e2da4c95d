/**
 * Imports the built package in a page that extends `Object.prototype`.
 * A namespace object that a bundler makes of a module throws there.
 */
import { readdirSync } from 'node:fs'

const dist = new URL('../dist/', import.meta.url)
const ofFramework = /^(react|vue|svelte)\.js$/
const modules = readdirSync(dist).filter((file) => /^(?!postern).*\.js$/.test(file) && !ofFramework.test(file))

Reflect.set(Object.prototype, 'plain', 1)
for (const file of modules) await import(new URL(file, dist).href)
