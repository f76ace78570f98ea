// An S3 service that stores objects as files: versitygw as a library, without its tools, which take half of its build.
// Usage: gateway PORT OBJECTS METADATA, with the keys in ACCESS_KEY and SECRET_KEY, and the region in REGION.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(port string, objects string, metadata string) error {
	sidecar, err := meta.NewSideCar(metadata)
	if err != nil {
		return err
	}
	options := posix.PosixOpts{SideCarDir: metadata, Concurrency: 5000, CopyObjectThreshold: 5 << 30}
	backend, err := posix.New(objects, sidecar, options)
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), backend, &embedgw.Config{
		RootUserAccess:    os.Getenv("ACCESS_KEY"),
		RootUserSecret:    os.Getenv("SECRET_KEY"),
		Region:            os.Getenv("REGION"),
		Ports:             []string{"127.0.0.1:" + port},
		MaxConnections:    250000,
		MaxRequests:       100000,
		MultipartMaxParts: 10000,
		HealthPath:        "/health",
		Quiet:             true,
	})
}
