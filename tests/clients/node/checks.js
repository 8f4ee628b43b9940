// Checks that are counted and printed, as those of the Python clients are.
'use strict'
const { isDeepStrictEqual, inspect } = require('node:util')

class Checks {
  constructor() {
    this.passed = 0
    this.failed = 0
  }

  equal(got, want, what) {
    this.true(isDeepStrictEqual(got, want), what, `got ${inspect(got)}, want ${inspect(want)}`)
  }

  true(ok, what, detail = '') {
    if (ok) {
      this.passed += 1
      console.log(`ok    ${what}`)
    } else {
      this.failed += 1
      console.log(`FAIL  ${what}${detail && ': ' + detail}`)
    }
  }

  // The call fails, and what `read` takes from its error is this.
  async refused(what, want, read, call) {
    let got
    try {
      got = await call()
    } catch (error) {
      this.equal(read(error), want, `${what}: ${want}`)
      return
    }
    this.true(false, what, `no error but ${inspect(got)}`)
  }

  // Runs functions one after another; an exception is a failure of that function.
  async run(...steps) {
    for (const step of steps) {
      try {
        await step()
      } catch (error) {
        this.failed += 1
        console.log(`FAIL  ${step.name}: ${error.stack}`)
      }
    }
  }

  // Prints the counts and sets the status that they call for.
  finish(name) {
    console.log(`${name}: ${this.passed} checks passed, ${this.failed} failed`)
    process.exitCode = this.failed || !this.passed ? 1 : 0
  }
}

// The address of the registry, which is the last argument.
function address() {
  const url = process.argv[2]
  if (!url) throw new Error(`usage: ${process.argv[1]} URL`)
  return url
}

module.exports = { Checks, address }
