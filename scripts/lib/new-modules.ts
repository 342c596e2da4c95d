/** For tests of modules with state: a module registry per test file, in a process that several files share. */
import { vi } from 'vitest'

vi.resetModules()
