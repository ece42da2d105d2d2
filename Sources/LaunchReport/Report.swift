// The package version, as `launchprof --version` prints it.
package let placeholder = 0
