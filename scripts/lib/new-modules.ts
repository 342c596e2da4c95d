/**
 * For tests of modules with state: a module registry per test file, in a process that several files share. They share the
 * document too: nothing of an earlier file stays in it.
 */
import { vi } from 'vitest'

vi.resetModules()
vi.unstubAllGlobals()
if (typeof document !== 'undefined') document.body.replaceChildren()
